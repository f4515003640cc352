import type { Page } from 'playwright-core'
import { jobReplies, setJob } from './set-job.ts'
import { setTheScene } from './set-scene.ts'
import type { Replies, Troupe } from './start-troupe.ts'
import { replyWith } from '../replies.ts'

/** One state of the page worth looking at: what leads to it, and what shows that it is there. */
export interface MainState {
  name: string
  path?: string
  role?: string
  says?: string
  replies: Replies
  /** What is there before anybody looks. */
  set?: (troupe: Troupe) => Promise<void>
  /** What a person does, once, to get there. */
  act?: (page: Page) => Promise<void>
  /** What must be in sight; also what has to be opened on a second page. */
  see: (page: Page) => Promise<void>
}

const goal = 'The shop accepts prices with a thousands comma'
const steps = [
  ['Add a failing test for "1,299.00" to src/parse-price.test.js', 'It fixes the behaviour first', ['edit', 'run']],
  ['Take commas out of the text in src/parse-price.js:3', 'parseFloat stops at the first comma', ['edit']],
  ['Run all tests', 'A fix counts when the tests say so', ['run']],
] as const
const plan = {
  goal,
  steps: steps.map(([action, reason, tools_needed], at) => ({
    step_number: at + 1,
    action,
    reason,
    tools_needed,
    estimated_time: '1 min',
  })),
  estimated_total_time: '3 min',
  risks: ['A comma as decimal sign ("12,50") would be read as thousands'],
  prerequisites: [],
}
const shorter = { ...plan, steps: plan.steps.slice(1).map((step, at) => ({ ...step, step_number: at + 1 })) }
const prose = 'I read `src/parse-price.js` and its test. `Number.parseFloat` stops reading at the comma, so **1,299.00** becomes 1.'
const usage = { input_tokens: 2140, cached_input_tokens: 1800, output_tokens: 312 }
const question = {
  type: 'question',
  question: 'Prices in the database are already wrong. Repair them as well?',
  context: '214 rows were stored as 1.00 because of this bug. There is no backup in the repository.',
  severity: 'critical',
  options: [
    { label: 'No, only the code', value: 'code', description: 'The rows stay as they are' },
    { label: 'Yes, repair the rows', value: 'rows', description: 'Rewrites 214 prices; cannot be undone' },
  ],
}
const change = {
  tool: 'update_file',
  input: { path: 'src/parse-price.js', old_text: `text.replace('$', '').trim()`, new_text: `text.replaceAll(/[$,\\s]/g, '')` },
}

/** The states that are looked at for accessibility and shown in the documentation. */
export const mainStates: readonly MainState[] = [
  { name: 'new-chat', path: '/chat/new', replies: [], see: async (page) => page.getByLabel('What do you want done?').waitFor() },
  {
    name: 'plan',
    role: 'planner',
    says: 'Prices such as 1,299.00 are read as 1. Please fix it.',
    replies: [
      { text: '', calls: [{ tool: 'read_file', input: { path: 'src/parse-price.js' } }], usage },
      { text: replyWith(prose, plan), usage },
    ],
    see: async (page) => page.getByRole('button', { name: 'Execute Plan' }).waitFor(),
  },
  {
    name: 'plan-changes',
    role: 'planner',
    says: 'Prices such as 1,299.00 are read as 1. Please fix it.',
    replies: [
      { text: replyWith(prose, shorter), usage },
      { text: replyWith('Right, a failing test first.', plan), usage },
    ],
    act: async (page) => {
      await page.getByRole('button', { name: 'Execute Plan' }).waitFor()
      await page.getByRole('textbox', { name: 'Message' }).fill('Write the test first')
      await page.getByRole('button', { name: 'Send' }).click()
    },
    see: async (page) => page.getByRole('button', { name: 'What changed since version 1' }).click(),
  },
  {
    name: 'acting',
    role: 'planner',
    says: 'Prices such as 1,299.00 are read as 1. Please fix it.',
    replies: [
      { text: replyWith(prose, shorter), usage },
      { text: 'I change the one line.\n\n[step 1 active]', calls: [change], usage },
      { text: '[step 1 done]\n[step 2 active]', calls: [{ tool: 'execute_command', input: { command: 'sleep 600' } }], usage },
    ],
    act: async (page) => page.getByRole('button', { name: 'Execute Plan' }).click(),
    see: async (page) => {
      await page.getByLabel('1 of 2 steps done').waitFor()
      await page.locator('summary').filter({ hasText: 'Edited' }).click()
      await page.getByRole('region', { name: 'Changes' }).waitFor()
    },
  },
  {
    name: 'question',
    role: 'actor',
    says: 'Make the shop accept prices with a comma.',
    replies: [{ text: replyWith('The code is repaired. Before I go on:', question), usage }],
    see: async (page) => page.getByRole('region', { name: 'Critical question' }).waitFor(),
  },
  {
    name: 'approval',
    role: 'actor',
    says: 'Remove what is no longer needed.',
    replies: [{ text: 'Nothing uses this file.', calls: [{ tool: 'delete_file', input: { path: 'src/old-price.js' } }], usage }],
    see: async (page) => page.getByText(/^Delete .+\?$/).waitFor(),
  },
  {
    name: 'confirm-switch',
    role: 'actor',
    says: 'Run the long test.',
    replies: [{ text: 'I run it.', calls: [{ tool: 'execute_command', input: { command: 'sleep 600' } }], usage }],
    see: async (page) => {
      await page.locator('summary').filter({ hasText: 'Running' }).waitFor()
      await page.keyboard.press('Control+.')
      await page.getByRole('menuitem', { name: 'Planner reads' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'roles', path: '/roles', replies: [], see: async (page) => page.getByText('Delegates to').waitFor() },
  {
    name: 'needs-you',
    path: '/needs-you',
    role: 'actor',
    says: 'Make the shop accept prices with a comma.',
    replies: [{ text: replyWith('Before I go on:', question), usage }],
    see: async (page) => page.getByRole('link', { name: /Prices in the database/ }).waitFor(),
  },
  {
    name: 'board',
    path: '/board',
    replies: [],
    set: setTheScene,
    see: async (page) => {
      await page.getByLabel('Your answer').waitFor()
      await page.getByText('1 alarm').waitFor() // it is fetched by itself, and moves what is below
    },
  },
  {
    name: 'workflow',
    path: '/workflows/show/code-review',
    replies: [],
    see: async (page) => page.getByLabel('The steps as a graph').waitFor(),
  },
  {
    name: 'job',
    path: '/jobs/paging',
    replies: jobReplies,
    set: setJob,
    see: async (page) => page.getByRole('button', { name: 'Approve' }).waitFor(),
  },
]

const source = `/** A price as a person types it, in cents. */
export function parsePrice(text) {
  const amount = Number.parseFloat(text.replace('$', '').trim())
  return Math.round(amount * 100)
}
`

/** Brings Troupe into a state; gives back the address of the page that shows it. */
export async function reach(troupe: Troupe, state: MainState): Promise<string> {
  await troupe.write('project/src/parse-price.js', source)
  await troupe.write('project/src/old-price.js', `export const oldPrice = (text) => Number(text)\n`)
  await state.set?.(troupe)
  if (state.role === undefined) return state.path ?? '/'
  const chat = await troupe.newChat(state.role, state.says)
  return state.path ?? `/chat/${chat.id}`
}
