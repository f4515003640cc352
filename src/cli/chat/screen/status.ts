import { truncateToWidth, type Component } from '@earendil-works/pi-tui'
import type { viewChat } from '../../../chat/view.ts'
import { elapsedText, spentText } from '../../../domain/text/format.ts'
import { inLine, paint } from '../../terminal.ts'
import { roleText } from '../print.ts'

const SIGNS = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** What the foot of the screen tells. */
export interface Status {
  chat: Awaited<ReturnType<typeof viewChat>> | null
  model: string
  /** What is awaited, and since when; null at rest. */
  awaited: string | null
  since: number
  /** A word of ours about the next key, until that key. */
  hint: string
}

/** Above the box: what is awaited, for how long, and how to stop it. */
export function waitingLine(status: Status, now: () => number): Component {
  return {
    invalidate: () => undefined,
    render: (width) => {
      if (status.awaited === null) return ['']
      const sign = SIGNS[Math.floor(now() / 120) % SIGNS.length]
      return [
        '',
        fitted(
          `${paint('cyan', sign ?? '')} ${inLine(status.awaited)} ${elapsedText(now() - status.since)}${paint('dim', ' · Esc stops')}`,
          width,
        ),
      ]
    },
  }
}

/** Below the box: role, model, context and cost, the most important first, for a narrow screen cuts the end. */
export function statusLine(status: Status): Component {
  return {
    invalidate: () => undefined,
    render: (width) => {
      if (status.hint !== '') return [fitted(paint('yellow', status.hint), width)]
      const { chat } = status
      if (chat === null) return ['']
      const { run, usage, config } = chat
      const asks = chat.questions.some((question) => question.status === 'pending')
      const parts = [
        paint('bold', `${roleText(chat)} ›`) + (asks ? paint('yellow', ' a question waits') : ''),
        ...(run === null || run.context_window === null
          ? []
          : [`context ${Math.round((100 * run.context_tokens) / run.context_window)} %`]),
        spentText(usage, config.limits.max_cost_microusd),
        inLine(status.model),
      ]
      return [fitted(parts.join(paint('dim', ' · ')), width)]
    },
  }
}

function fitted(line: string, width: number): string {
  return truncateToWidth(line, Math.max(width, 1), '…')
}
