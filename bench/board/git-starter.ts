import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Asked, Answered } from './gits-elsewhere.ts'

for await (const line of createInterface({ input: process.stdin })) run(JSON.parse(line) as Asked) // gits-elsewhere.ts wrote it

/** Runs one git as it was asked for and says what came of it. */
function run({ id, file, args, cwd, env, stdin }: Asked): void {
  const git = spawn(file, args, { cwd, env })
  let [stdout, stderr] = ['', '']
  const answer = (end: Pick<Answered, 'code' | 'error'>) => {
    const answered: Answered = { id, stdout, stderr, ...end }
    process.stdout.write(`${JSON.stringify(answered)}\n`)
  }
  git.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  git.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  git.stdin.on('error', () => undefined) // it may end without reading
  git.stdin.end(stdin)
  git.once('error', ({ message }) => answer({ code: null, error: message }))
  git.once('close', (code) => answer({ code, error: null }))
}
