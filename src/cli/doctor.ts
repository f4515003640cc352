import type { Command } from 'commander'
import { examineMachine } from '../api/doctor/doctor.ts'
import type { DoctorCheck } from '../api/doctor/check.ts'
import { settingsHere } from './config.ts'
import { noticeText } from './next-steps.ts'
import { addCommands } from './operation-commands.ts'
import { columns, paint } from './terminal.ts'

const marks = { good: paint('green', '✔'), warn: paint('yellow', '!'), bad: paint('red', '✘') }

/** `troupe doctor` */
export function define(noun: Command): void {
  addCommands(noun, [examineMachine], settingsHere, {
    'system.doctor': {
      /** A script that goes on must learn that something is missing. */
      finish: async ({ ok, findings }) => {
        process.exitCode = ok ? 0 : 1
        return { ok, findings: await Promise.all(findings.map(withFix)) }
      },
      print: async ({ findings }) => columns((await Promise.all(findings.map(withFix))).flatMap(findingLines)),
    },
  })
}

/** What to type to fix it. */
async function withFix({ fix, next, ...finding }: DoctorCheck): Promise<DoctorCheck> {
  if (finding.state === 'good') return finding
  const text = await noticeText({ text: fix ?? '', next: next ?? [] })
  return { ...finding, fix: text.replace(/^\. Try: /, '') }
}

/** A finding as one line, and what fixes it as another. */
export function findingLines({ state, what, found, fix }: DoctorCheck): string[][] {
  const line = [`${marks[state]} ${what}`, found]
  return fix === undefined ? [line] : [line, ['', paint('dim', `→ ${fix}`)]]
}
