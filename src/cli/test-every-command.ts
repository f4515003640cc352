import { runCommandLine } from './program.ts'

/** Plays the lists of words of its argument one after another, as a command each, and prints what each wrote to stdout. */
const printed: string[] = []
for (const words of JSON.parse(process.argv[2] ?? '') as string[][]) printed.push(await stdoutOf(words)) // what the test wrote
process.stdout.write(JSON.stringify(printed), () => process.exit())

async function stdoutOf(words: readonly string[]): Promise<string> {
  const write = process.stdout.write.bind(process.stdout)
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += String(chunk)
    return true
  }
  try {
    await runCommandLine(words, '')
  } finally {
    process.stdout.write = write
  }
  return text
}
