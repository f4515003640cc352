import * as z from 'zod'
import { callTarget } from '../domain/call-target.ts'
import { ChatId, type ChatMessage } from '../domain/chat.ts'
import { cutTexts } from '../domain/entry.ts'
import { defineOperation } from '../domain/operation.ts'
import type { Plan } from '../domain/plan.ts'
import type { Question } from '../domain/question.ts'
import type { ChatContext } from './context.ts'
import { viewChat } from './view.ts'

const EVERYTHING = 100_000

/** As it is shown, so without keys; what tools answered is left out unless asked for, for it is long and may be private. */
export const exportChat = defineOperation({
  name: 'chat.export',
  summary: 'Write a chat as Markdown or as a page of HTML, to keep or to share',
  by: ['person'],
  effect: 'read',
  command: 'chat export <chat>',
  input: z.strictObject({
    chat: ChatId,
    format: z.enum(['markdown', 'html']).default('markdown').describe('markdown or html'),
    outputs: z.boolean().default(false).describe('also what tools answered'),
  }),
  output: z.object({ title: z.string(), format: z.enum(['markdown', 'html']), text: z.string() }),
  example: { chat: 'chat_01', format: 'html' },
  tell: ({ text }) => text,
  run: async (context: ChatContext, { chat: id, format, outputs }) => {
    const chat = await viewChat(context, id, { limit: EVERYTHING })
    const parts = chat.messages.map((message) => messageMarkdown(message, chat, outputs)).filter((part) => part !== '')
    const markdown = [`# ${chat.title}`, `${chat.workspace}, ${chat.updated_at.slice(0, 10)}`, ...parts].join('\n\n')
    return { title: chat.title, format, text: format === 'html' ? await htmlPage(chat.title, markdown) : `${markdown}\n` }
  },
})

type Shown = { plans: readonly Plan[]; questions: readonly Question[] }

function messageMarkdown(message: ChatMessage, chat: Shown, outputs: boolean): string {
  switch (message.type) {
    case 'text':
      return said(message, [message.text, ...(message.cut ? [`_${cutTexts[message.cut]}_`] : [])])
    case 'plan':
      return said(message, [message.prose, planMarkdown(chat.plans.find(({ id }) => id === message.plan_id))])
    case 'question':
      return said(message, [message.prose, questionMarkdown(chat.questions.find(({ id }) => id === message.question_id))])
    case 'tool_call':
      return `- \`${message.tool}\` ${callTarget(message.input)}`.trimEnd()
    case 'tool_result':
      if (outputs) return fenced(message.output)
      return message.outcome === 'ok' ? '' : `- ${message.outcome}: ${message.output.split('\n')[0] ?? ''}`
    case 'thoughts':
    case 'compaction':
      return ''
    case 'undo':
    case 'role_change':
    case 'error':
      return `_${message.text}_`
  }
}

function said({ from, role }: { from: string; role: string | null }, parts: readonly string[]): string {
  const who = from === 'user' ? 'You' : (role ?? 'Troupe')
  return [`## ${who}`, ...parts.map((part) => part.trim()).filter((part) => part !== '')].join('\n\n')
}

function planMarkdown(plan: Plan | undefined): string {
  if (plan === undefined) return ''
  const steps = plan.content.steps.map(
    ({ step_number, action, reason }) => `${step_number}. ${action}${reason === '' ? '' : ` (${reason})`}`,
  )
  return [`**Plan ${plan.version} (${plan.status}): ${plan.content.goal}**`, steps.join('\n')].join('\n\n')
}

function questionMarkdown(question: Question | undefined): string {
  if (question === undefined) return ''
  const { content, answer, status } = question
  const options = content.options.map(({ label }) => `- ${label}`).join('\n')
  const end = answer === null ? `_${status}_` : `**Answer:** ${answer.label || answer.text}`
  return [`**${content.question}**`, content.context, options, end].filter((part) => part !== '').join('\n\n')
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** A page that needs nothing else. HTML in a chat is shown, not interpreted. */
async function htmlPage(title: string, markdown: string): Promise<string> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')])
  const body = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  const style =
    'body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 system-ui,sans-serif;color-scheme:light dark}pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:6px}h2{font-size:1rem;margin-top:2rem;opacity:.7}'
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n<title>${escaped}</title>\n<style>${style}</style>\n${body}\n</html>\n`
}
