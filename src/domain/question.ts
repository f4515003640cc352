import * as z from 'zod'
import { AskedCommand } from './command/allowed.ts'
import { defineFlow } from './flow.ts'
import { AskedNetwork } from './network/leave.ts'
import { NonBlank } from './text/fields.ts'

export const Severity = z.enum(['critical', 'major', 'minor'])

export const QuestionOption = z.object({
  label: NonBlank,
  value: z.string().min(1),
  description: z.string().default(''),
})

/** What a model asks. `default` must be one of the options, and a critical question never has one. */
export type QuestionContent = z.infer<typeof QuestionContent>
export const QuestionContent = z
  .object({
    type: z.literal('question').default('question'),
    question: NonBlank,
    context: z.string().default(''),
    severity: Severity,
    options: z.array(QuestionOption).min(1),
    default: z.string().nullable().default(null),
  })
  .refine((asked) => asked.default === null || asked.options.some((option) => option.value === asked.default), {
    path: ['default'],
    message: 'must be the value of one of the options',
  })

/** The same as it comes from a model, before it is stored. */
export const AskedQuestion = QuestionContent.refine(({ options }) => new Set(options.map(({ value }) => value)).size === options.length, {
  path: ['options'],
  message: 'must each have a different value',
})

export const questionFlow = defineFlow({
  name: 'question',
  states: ['pending', 'answered', 'cancelled'],
  initial: 'pending',
  moves: {
    answer: { from: ['pending'], to: 'answered', by: ['user'] },
    cancel: { from: ['pending'], to: 'cancelled', by: ['user', 'runtime'] },
  },
})

/** The call an approval is bound to: exactly this, for this role and plan, once. */
export type Approval = z.infer<typeof Approval>
export const Approval = z.object({
  call_id: z.string(),
  tool: z.string(),
  input_hash: z.string(),
  role: z.string(),
  plan_id: z.string().nullable(),
  /** What the person was shown: the content before and after. Where it is another by now, the person is asked again. */
  preview_hash: z.string().nullable().default(null),
  used_at: z.iso.datetime().nullable().default(null),
})

/** The limit that made the runtime ask, and what it becomes where a person says only that the work shall go on; null lifts it. */
export type AskedLimit = z.infer<typeof AskedLimit>
export const AskedLimit = z.object({
  name: z.enum(['max_turns', 'max_tokens', 'max_cost_microusd', 'max_wall_ms']),
  raised_to: z.int().positive().nullable(),
})

export type Answer = z.infer<typeof Answer>
export const Answer = z.object({
  value: z.string(),
  label: z.string(),
  text: z.string().default(''),
  by: z.string(),
  at: z.iso.datetime(),
})

/** What a server of tools asked a person for during a call: which fields, and of which kind. */
export type AskedForm = z.infer<typeof AskedForm>
export const AskedForm = z.object({
  server: z.string(),
  fields: z.array(z.object({ name: z.string(), type: z.enum(['string', 'number', 'integer', 'boolean']), required: z.boolean() })),
})

/** A question as a record. `approval` is set when it asks leave for one tool call, `limit` when it asks for more room, `network` when for hosts, `allow` when its call may be allowed from now on, `form` when a server of tools asks. */
export type Question = z.infer<typeof Question>
export const Question = z.object({
  id: z.string(),
  thread_id: z.string(),
  run_id: z.string(),
  status: z.enum(questionFlow.states),
  content: QuestionContent,
  role: z.string(),
  approval: Approval.nullable().default(null),
  limit: AskedLimit.optional(),
  network: AskedNetwork.optional(),
  allow: AskedCommand.optional(),
  form: AskedForm.optional(),
  answer: Answer.nullable().default(null),
  created_at: z.iso.datetime(),
})
