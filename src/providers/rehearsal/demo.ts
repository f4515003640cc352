import type { ToolCall } from '../../domain/entry.ts'
import type { PlanContent } from '../../domain/plan.ts'
import type { QuestionContent } from '../../domain/question.ts'
import { answerIn, resultsOf, step, type Line, type Scene } from './scene.ts'

const SOURCE = 'src/parse-price.js'
const TESTS = 'src/parse-price.test.js'
const COMMAND = 'node --test'

/** Words of the demo's README: no project of a person's own is taken for the demo. */
const MARK = 'the bug this demo is about'

/** The demo project's bug, and what repairs it. */
const repair = {
  path: SOURCE,
  old_text: `text.replace('$', '').trim()`,
  new_text: `text.replaceAll(/[$,\\s]/g, '')`,
}

const moreTests = {
  path: TESTS,
  old_text: `test('reads thousands with a comma', () => {`,
  new_text: `test('reads millions with two commas', () => {\n  assert.equal(parsePrice('1,234,567.00'), 123456700)\n})\n\ntest('reads thousands with a comma', () => {`,
}

const plan: PlanContent = {
  goal: 'parsePrice reads prices with a thousands comma, and every test passes',
  steps: [
    step(1, 'Run the tests to see the failure', 'The report says a test fails; see which one before changing anything', ['run'], '10 s'),
    step(
      2,
      `Take commas and spaces out of the text in ${SOURCE}:3`,
      'parseFloat stops at the first comma, so "1,299.00" becomes 1',
      ['edit'],
      '20 s',
    ),
    step(3, 'Run the tests again', 'A fix counts when the tests say so', ['run'], '10 s'),
  ],
  estimated_total_time: 'under a minute',
  risks: ['A comma as decimal sign ("12,50") is read as thousands; that was never supported'],
  prerequisites: [],
}

const question: QuestionContent = {
  type: 'question',
  question: 'Shall I also add a test for a price with two commas?',
  context: `The old code would have failed on "1,234,567.00" as well, and no test covers it. The plan does not mention it.`,
  severity: 'minor',
  options: [
    { label: 'Yes, add the test', value: 'add_test', description: `One more test in ${TESTS}` },
    { label: 'No, leave the tests', value: 'skip_test', description: 'Finish with the fix alone' },
  ],
  default: 'add_test',
}

/** Whether a plan is one for the demo project. */
export function isDemoPlan({ steps }: PlanContent): boolean {
  return steps.some(({ action }) => action.includes(SOURCE))
}

/** Whether the demo project was seen in a thread. */
export function isDemo({ all }: Scene): boolean {
  return all.some((entry) => entry.from === 'tool' && entry.output.includes(MARK))
}

/** The Planner's part: read the program and its test, hand in the plan; feedback becomes a step of its own. */
export function planDemo(scene: Scene): Line {
  if (!scene.all.some((entry) => entry.from === 'assistant' && JSON.stringify(entry.calls).includes(TESTS)))
    return { text: '', calls: [SOURCE, TESTS].map((path) => ({ tool: 'read_file', input: { path } })) }
  const asked = scene.all.filter((entry) => entry.from === 'user').length
  const text =
    asked === 1
      ? `Rehearsal model: \`parsePrice('1,299.00')\` gives 100 instead of 129900. \`Number.parseFloat\` in ${SOURCE}:3 stops reading at the comma.\n\nHere is the plan. Read it, say what should change, or execute it.`
      : 'Rehearsal model: I took your feedback up as a step of its own.'
  return { text, calls: [{ tool: 'submit_plan', input: asked === 1 ? plan : withFeedback(scene.wish) }] }
}

/** The Actor's part: see it fail, repair it, see it pass, ask, do what was answered, report. */
export function actDemo(scene: Scene): Line {
  const ran = resultsOf(scene, 'execute_command')
  const changes = resultsOf(scene, 'update_file').length
  const answer = answerIn(scene.all)
  // Where there is no sandbox a command is refused; asking for it again would only be refused again.
  const refused = ran.some(({ outcome }) => outcome === 'denied')
  if (ran.length === 0) return line('I carry out the approved plan.\n\n[step 1 active]', 'execute_command', { command: COMMAND })
  if (changes === 0) return line(`${seen(ran)}\n\n[step 1 done]\n[step 2 active]`, 'update_file', repair)
  if (ran.length === 1 && !refused)
    return line('I check the change.\n\n[step 2 done]\n[step 3 active]', 'execute_command', { command: COMMAND })
  if (answer === null) return line(`${seen(ran)}\n\n[step 3 done]`, 'ask_user', question)
  if (!answer.includes('add_test')) return { text: report(scene, 'No test was added, as you chose.') }
  if (changes === 1) return line('I add the test.', 'update_file', moreTests)
  if (ran.length === 2 && !refused) return line('', 'execute_command', { command: COMMAND })
  return { text: report(scene, `${TESTS}: one more test, for a price with two commas.`) }
}

/** What the last command showed, in words. */
function seen(ran: ReturnType<typeof resultsOf>): string {
  const outcome = ran.at(-1)?.outcome
  if (outcome === 'denied') return 'I may not run commands here, so I go by what I read.'
  return outcome === 'ok' ? 'All tests pass now.' : 'A test fails, as the plan says.'
}

function line(text: string, tool: string, input: ToolCall['input']): Line {
  return { text: text === '' ? '' : `Rehearsal model: ${text}`, calls: [{ tool, input }] }
}

function withFeedback(wish: string): PlanContent {
  const more = step(4, `As you asked: ${wish.trim().slice(0, 200)}`, 'Your feedback on the plan', ['edit'], '1 min')
  return { ...plan, steps: [...plan.steps, more] }
}

/** What the last command said is told as it was: a rehearsal, too, claims nothing it did not see. */
function report(scene: Scene, tests: string): string {
  const passed = resultsOf(scene, 'execute_command').at(-1)?.outcome === 'ok'
  const verdict = passed ? `\`${COMMAND}\` passes.` : `\`${COMMAND}\` did not pass; see its answer above.`
  return `Rehearsal model: done.\n\n- ${SOURCE}: commas and spaces are taken out before the number is read.\n- ${tests}\n- ${verdict}\n\nThis was a script without an AI model; the files, the commands and the gate were real.`
}
