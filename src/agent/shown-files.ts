import { attachmentKind, type AttachmentKind } from '../domain/attachment.ts'
import { Problem } from '../domain/problem.ts'
import { attachmentContents } from '../store/attachments.ts'
import type { ChosenModel } from './agent.ts'
import type { RunContext } from './run/context.ts'

/** What a chosen model can be shown beside words. */
export function shownTo({ provider, model }: ChosenModel): readonly AttachmentKind[] {
  return provider.takes?.(model) ?? []
}

/** What of the thread's files its model takes. One that a person attached to this run is refused where it cannot be shown; any other is only named. */
export async function filesFor({ agent, run, performer, view }: RunContext): Promise<Map<string, string>> {
  const taken = shownTo(performer)
  const shown: string[] = []
  for (const entry of view) {
    if (entry.from !== 'user' && entry.from !== 'tool') continue
    for (const file of entry.attachments ?? []) {
      if (taken.includes(attachmentKind(file))) shown.push(file.hash)
      else if (entry.from === 'user' && entry.run_id === run.item.id) throw notTaken(file.name, attachmentKind(file), performer)
    }
  }
  return attachmentContents(agent.driver, shown)
}

function notTaken(name: string, kind: AttachmentKind, { provider, model }: ChosenModel): Problem {
  const what = kind === 'pdf' ? 'PDFs' : 'images'
  const how = `choose another model, or say so under providers.${provider.name}.takes in config.yaml if it does`
  return new Problem('bad_input', `${name} cannot be shown to ${model}: it is not known to take ${what}; ${how}`)
}
