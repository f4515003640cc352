import type { QuotaWait } from '../../domain/quota/quota.ts'
import { clockText } from '../../domain/text/format.ts'
import { emitEvent, recordEntries, type RunContext } from '../run/context.ts'

/** Writes into the record of a run what it waits for, and tells whoever watches; `waitedMs` is no time that it worked. */
export function watchLimit(context: RunContext) {
  let since: number | null = null
  let waited = 0

  function settle(): number {
    const more = since === null ? 0 : Math.round(performance.now() - since)
    since = null
    waited += more
    return more
  }

  async function onLimit(quota: QuotaWait | null): Promise<void> {
    const more = settle()
    if (quota !== null) since = performance.now()
    const { waited_ms } = context.run.item
    await recordEntries(context, { run: { quota, waited_ms: waited_ms + more } })
    if (quota === null) emitEvent(context, { type: 'notice', message: 'The limit has ended; going on.' })
    else emitEvent(context, { type: 'notice', message: limitText(quota), until: quota.resets_at })
  }

  const onSwitch = (model: string, reason: string) =>
    emitEvent(context, { type: 'notice', message: `${model} answers from here: ${reason}` })

  return { onLimit, onSwitch, waitedMs: () => waited + (since === null ? 0 : Math.round(performance.now() - since)) }
}

/** What a run waits for, in one line. */
export function limitText({ account, message, resets_at }: QuotaWait): string {
  return `The limit of ${account} is reached: ${message} Waiting until ${clockText(resets_at)}; it goes on by itself.`
}
