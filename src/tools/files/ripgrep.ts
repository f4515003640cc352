import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { ToolContext } from '../tool.ts'

/** No configuration of anyone's; ignore files honoured with or without git; hidden files too, but never git's own, whatever glob came before. */
const always = ['--no-config', '--no-messages', '--no-require-git', '--hidden', '--max-filesize=20M', '--glob=!.git']

/** The files below a path that fit a glob and that no ignore file leaves out. The glob is matched by ripgrep too: its time grows with the name, never beyond. */
export async function filesBelow(context: ToolContext, path: string, glob: string): Promise<string[]> {
  const files = await listed(context, path, [])
  // A glob brings ignored files back, so what fits it counts only if it was there without it.
  const fitting = new Set(await listed(context, path, [`--glob=${glob}`]))
  return files.filter((file) => fitting.has(file))
}

async function listed(context: ToolContext, path: string, args: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for await (const file of ripgrep(context, path, ['--files', '--null', ...args], '\0')) files.push(file.replace(/^\.\//, ''))
  return files
}

/** Runs ripgrep below a path of the workspace and hands out its records one by one; leaving the loop early ends the search. */
export async function* ripgrep(context: ToolContext, path: string, args: readonly string[], separator: string): AsyncGenerator<string> {
  const { root, signal } = context
  const { rgPath } = await import('@vscode/ripgrep')
  const argv = [...args, ...always, '--', await below(context, path)]
  const child = spawn(rgPath, argv, { cwd: root, env: {}, stdio: ['ignore', 'pipe', 'pipe'], signal })
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  closed.catch(() => undefined) // a search that is stopped says so through its output; this promise may then be awaited by nobody
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(0, 2_000)))
  try {
    let rest = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const [first = '', ...records] = String(chunk).split(separator)
      rest += first
      if (records.length === 0) continue
      yield rest
      rest = records.pop() ?? ''
      yield* records
    }
    // Exit code 2 is a pattern ripgrep cannot read; 1 only says that nothing was found.
    if ((await closed) === 2 && complaint !== '') throw new Problem('bad_input', `the pattern cannot be searched for: ${complaint.trim()}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** The checked place as ripgrep should name it in its results: relative to the workspace. */
async function below({ root, place }: ToolContext, path: string): Promise<string> {
  const found = await stat(place(path)).catch(() => null)
  if (found === null) throw new Problem('not_found', `${path} does not exist; list_directory shows what does`)
  // A pipe or a device would be read for ever.
  if (!found.isFile() && !found.isDirectory()) throw new Problem('bad_input', `${path} is neither a file nor a directory`)
  return `./${relative(root, place(path))}`
}
