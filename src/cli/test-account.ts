import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  write(path: string, text: string): Promise<string>
  troupe(...args: string[]): Promise<Ended>
}

/** A fresh account, removed after the test. */
export async function anAccount(t: Cleanup, more: Record<string, string> = {}): Promise<Account> {
  const home = await testFolder(t)
  const project = join(home, 'project')
  await mkdir(project)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: tmpdir(), ...more }
  return {
    home,
    project,
    env,
    write: async (path, text) => {
      const file = join(home, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      return file
    },
    troupe: (...args) => runTroupe(args, { cwd: project, env }),
  }
}

/** Runs a command of ours to its end. */
export function runTroupe(args: string[], place: { cwd: string; env: Record<string, string> }): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(launcher, args, place, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr })
    })
  })
}
