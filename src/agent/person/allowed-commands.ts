import { hash } from 'node:crypto'
import type { AllowedCommand, AllowedScope, AskedCommand } from '../../domain/command/allowed.ts'
import { patternText, readPattern } from '../../domain/command/pattern.ts'
import type { Question } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import { projectFolder } from '../../sandbox/git/project-folder.ts'
import type { Driver } from '../../store/driver.ts'
import { allowedCommands, runs } from '../../store/run-tables.ts'
import { allowAnswers } from '../../tools/approval-question.ts'

type Asking = Pick<Run, 'thread_id' | 'workspace' | 'parent_run_id'>

/** What a question about a command offers, and where that would hold. */
export async function askedCommand(driver: Driver, run: Asking, patterns: readonly string[]): Promise<AskedCommand> {
  const { chat, project } = await placesOf(driver, run)
  return { patterns: [...patterns], chat, project }
}

/** The commands that a run may start without asking; what was revoked a moment ago is no longer among them. */
export async function allowedFor(driver: Driver, run: Asking): Promise<AllowedCommand[]> {
  return allowedCommands.items(driver, { where: { place: Object.values(await placesOf(driver, run)) } })
}

/** Keeps what a person allowed together with an answer. */
export async function keepAllowed(driver: Driver, { allow, answer }: Question): Promise<void> {
  const scopes = Object.keys(allowAnswers) as AllowedScope[] // the keys of the table
  const scope = scopes.find((each) => allowAnswers[each] === answer?.value)
  if (allow === undefined || answer === null || scope === undefined) return
  const place = scope === 'always' ? '' : allow[scope]
  for (const pattern of allow.patterns) await allowCommand(driver, { scope, place, pattern, by: answer.by, at: answer.at })
}

/** Allows a command from now on; once is enough. */
export async function allowCommand(driver: Driver, given: Omit<AllowedCommand, 'id'>): Promise<AllowedCommand> {
  const pattern = patternText(readPattern(given.pattern))
  const id = `allowed_${hash('sha256', `${given.scope} ${given.place} ${pattern}`).slice(0, 12)}`
  const known = await allowedCommands.find(driver, id)
  return (known ?? (await allowedCommands.add(driver, { ...given, id, pattern }))).item
}

/** What an agent starts belongs to the chat of the one who started it. */
async function placesOf(driver: Driver, run: Asking): Promise<Record<AllowedScope, string>> {
  let above = run
  while (above.parent_run_id !== null) above = (await runs.get(driver, above.parent_run_id)).item
  return { chat: above.thread_id, project: projectFolder(run.workspace), always: '' }
}
