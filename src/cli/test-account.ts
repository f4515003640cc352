import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compiledCode } from '../sandbox/test-compiled-code.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'

/** What people type. It takes the bundle where that is fresh, which starts in a fifth of the time of the sources. */
export const launcher = join(import.meta.dirname, '../../bin/troupe')

/** How a command of ours ended. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A person's account on an empty machine, for tests: a home folder, a project in it, and the command line. */
export interface Account {
  home: string
  project: string
  env: Record<string, string>
  /** The address of its store, unless its environment names another. */
  store: string
  write: (path: string, text: string) => Promise<string>
  /** Writes down what a model says; gives back the name of that model. */
  script: (replies: unknown, name?: string) => Promise<string>
  troupe: (...args: string[]) => Promise<Ended>
}

/** A fresh account, removed after the test. */
export async function anAccount(t: Cleanup, more: Record<string, string> = {}): Promise<Account> {
  const home = await testFolder(t)
  const project = join(home, 'project')
  await mkdir(project)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: tmpdir(), ...compiledCode, ...more }
  const write: Account['write'] = async (path, text) => {
    const file = join(home, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }
  return {
    home,
    project,
    env,
    store: `sqlite:${join(home, '.local/share/troupe/troupe.db')}`,
    write,
    script: async (replies, name = 'script.json') => `scripted:${await write(name, JSON.stringify(replies))}`,
    troupe: (...args) => runTroupe(args, { cwd: project, env }),
  }
}

interface Place {
  cwd: string
  env?: NodeJS.ProcessEnv
}

/** Runs a command of ours to its end; with an input, which is all it is told. */
export function runTroupe(args: readonly string[], place: Place, input?: string): Promise<Ended> {
  return runProgram(launcher, args, place, input)
}

/** The same for any program. */
export function runProgram(program: string, args: readonly string[], place: Place, input?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, place, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr })
    })
    if (input !== undefined) child.stdin?.end(input)
  })
}
