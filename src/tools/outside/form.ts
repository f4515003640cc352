import * as z from 'zod'
import type { ElicitedForm } from '../../outside/connection.ts'
import type { ElicitResult } from '@modelcontextprotocol/client'
import type { Answer, AskedForm, Question, QuestionContent } from '../../domain/question.ts'
import { parsedJson } from '../../domain/text/json-in-text.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import { plainText } from './result-text.ts'

const DECLINE = 'decline'
const SHOWN_CHARS = 2_000

const Field = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
})

const Schema = z.object({ properties: z.record(z.string(), Field), required: z.array(z.string()).default([]) })

/** The question of a server as a person is asked it; null where it asks for what no card can hold. */
export function formQuestion(server: string, tool: string, form: ElicitedForm): { question: QuestionContent; form: AskedForm } | null {
  const read = 'requestedSchema' in form ? Schema.safeParse(form.requestedSchema) : null
  if (read?.success !== true) return null
  const { properties, required } = read.data
  const fields = Object.entries(properties).map(([name, { type }]) => ({ name, type, required: required.includes(name) }))
  const [only, ...others] = Object.values(properties)
  const choices = others.length > 0 || only === undefined ? [] : (only.enum ?? (only.type === 'boolean' ? ['true', 'false'] : []))
  const about = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : ' (optional)'}: ${whatOf(field)}`,
  )
  const how = fields.length > 1 ? 'Answer in your own words, one line for each: name: value' : 'Answer in your own words'
  const shown = [
    `Asked by the MCP server ${server} during ${tool}, not by Troupe. Give it no password and no key.`,
    ...about,
    ...(choices.length > 0 ? [] : [how]),
  ]
  return {
    question: {
      type: 'question',
      question: plainText(`${server} asks: ${form.message}`, SHOWN_CHARS),
      context: plainText(shown.join('\n'), SHOWN_CHARS),
      severity: 'major',
      options: [
        ...choices.slice(0, 20).map((value) => ({ label: plainText(value, 100) || 'empty', value, description: '' })),
        { label: 'Decline', value: DECLINE, description: 'The server is told no.' },
      ],
      default: null,
    },
    form: { server, fields },
  }
}

function whatOf({ type, title, description, enum: choices }: z.infer<typeof Field>): string {
  return [choices === undefined ? type : choices.join(' | '), title, description].filter(Boolean).join(', ')
}

/** What the server is told: what the person gave in the form it asked for, or no. */
export function formAnswer({ fields }: AskedForm, { status, answer }: Pick<Question, 'status' | 'answer'>): ElicitResult {
  if (status !== 'answered' || answer === null || answer.value === DECLINE) return { action: 'decline' }
  const given = givenFor(fields, answer)
  const content = Object.fromEntries(
    fields.flatMap(({ name, type }) => (given[name] === undefined ? [] : [[name, typed(given[name], type)]])),
  )
  return { action: 'accept', content }
}

function givenFor(fields: AskedForm['fields'], { value, text }: Answer): Record<string, string> {
  const [only, ...others] = fields
  if (only !== undefined && others.length === 0) return { [only.name]: value === '' ? text.trim() : value }
  const told = parsedJson(text)
  if (isRecord(told)) return Object.fromEntries(Object.entries(told).map(([name, each]) => [name, String(each)]))
  const lines = text.split('\n').flatMap((line) => {
    const [, name, rest] = /^\s*([^:=]+?)\s*[:=]\s*(.*)$/.exec(line) ?? []
    return name === undefined || rest === undefined ? [] : [[name, rest.trim()]]
  })
  return Object.fromEntries(lines) as Record<string, string> // pairs of two texts
}

function typed(text: string, type: AskedForm['fields'][number]['type']): string | number | boolean {
  if (type === 'boolean') return /^(true|yes|1)$/i.test(text)
  if (type === 'string') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
