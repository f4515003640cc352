import type { Command } from 'commander'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'
import { columns, paint, print, printJson } from './terminal.ts'
import { wantsJson } from './verb.ts'

const marks = { good: paint('green', '✔'), warn: paint('yellow', '!'), bad: paint('red', '✘') }

/** `troupe doctor` */
export function define(doctor: Command): void {
  doctor.action(async (_options: unknown, command: Command) => {
    const findings = await examine(process.env, process.cwd())
    const ok = findings.every(({ state }) => state !== 'bad')
    if (wantsJson(command)) printJson({ ok, findings })
    else print(columns(findings.flatMap(lines)))
    process.exitCode = ok ? 0 : 1
  })
}

function lines(finding: Finding): string[][] {
  const found_line = [`${marks[finding.state]} ${finding.what}`, finding.found]
  return finding.state === 'good' ? [found_line] : [found_line, ['', paint('dim', `→ ${finding.fix}`)]]
}
