import type { CreateElicitationRequest, CreateElicitationResponse } from '@agentclientprotocol/sdk'
import type { QuestionContent } from '../../domain/question.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'

/** One field of a form as a question of ours. */
export interface FormField {
  name: string
  question: QuestionContent
  valueOf: (answer: { value: string; text: string }) => unknown
}

const OPEN = { label: 'Answer in your own words', value: 'own_words', description: '' }

/** The fields of a form, one question each; none where it is not a form that can be asked here. */
export function formFields(asked: CreateElicitationRequest): FormField[] {
  if (asked.mode !== 'form') return []
  const { requestedSchema: wanted } = asked
  const properties = isRecord(wanted) && isRecord(wanted['properties']) ? wanted['properties'] : {}
  return Object.entries(properties).map(([name, schema]) => fieldOf(asked.message, name, isRecord(schema) ? schema : {}))
}

function fieldOf(message: string, name: string, schema: Record<string, unknown>): FormField {
  const { title, description, type } = schema
  const label = typeof title === 'string' ? title : name
  const options = optionsOf(schema)
  const question: QuestionContent = {
    type: 'question',
    question: `${message}${message.includes(label) ? '' : ` ${label}`}`,
    context: typeof description === 'string' ? description : '',
    severity: 'major',
    options: options.length > 0 ? options : [OPEN],
    default: null,
  }
  return { name, question, valueOf: ({ value, text }) => typed(type, text !== '' && (value === '' || value === OPEN.value) ? text : value) }
}

function optionsOf({ type, enum: values, oneOf, items }: Record<string, unknown>): QuestionContent['options'] {
  if (type === 'boolean') return [option('true', 'Yes'), option('false', 'No')]
  if (type === 'array' && isRecord(items)) return optionsOf(items)
  if (Array.isArray(values)) return values.map((value) => option(String(value), String(value)))
  if (!Array.isArray(oneOf)) return []
  return oneOf.filter(isRecord).map(({ const: value, title }) => option(String(value), typeof title === 'string' ? title : String(value)))
}

function option(value: string, label: string) {
  return { value, label, description: '' }
}

function typed(type: unknown, value: string): unknown {
  if (type === 'boolean') return value === 'true'
  if (type === 'number' || type === 'integer') return Number(value)
  return type === 'array' ? [value] : value
}

/** What a form is answered with; nothing answered is a cancelled form. */
export function elicitationAnswer(content: Record<string, unknown> | null): CreateElicitationResponse {
  if (content === null) return { action: 'cancel' }
  return { action: 'accept', content: content as NonNullable<Extract<CreateElicitationResponse, { action: 'accept' }>['content']> } // built from its own fields
}
