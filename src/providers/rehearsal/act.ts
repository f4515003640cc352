import type { PlanContent } from '../../domain/plan.ts'
import type { QuestionContent } from '../../domain/question.ts'
import { answerIn, called, type Line, type Scene } from './scene.ts'
import { actDemo, isDemoPlan } from './demo.ts'

const question: QuestionContent = {
  type: 'question',
  question: 'Shall the rehearsal write its notes into this project?',
  context:
    'The rehearsal model changes nothing of the project itself. It can leave one file that shows what an Actor would have worked on.',
  severity: 'minor',
  options: [
    { label: 'Write the notes', value: 'write', description: 'Creates rehearsal-notes.md' },
    { label: 'Change nothing', value: 'skip', description: 'Ends with a report only' },
  ],
  default: null,
}

/** Plays an approved plan: looks, asks once, writes one file if told to, reports. */
export function rehearseAct(scene: Scene, plan: PlanContent): Line {
  if (isDemoPlan(plan)) return actDemo(scene)
  if (!called(scene, 'list_directory') && scene.offers('list_directory')) {
    return { text: `Rehearsal model: I play the approved plan "${plan.goal}".`, calls: [{ tool: 'list_directory', input: { path: '.' } }] }
  }
  const answer = answerIn(scene.since)
  if (answer === null) return ask(scene)
  if (answer.includes('write') && !called(scene, 'create_file') && scene.offers('create_file')) {
    return { text: '', calls: [{ tool: 'create_file', input: { path: 'rehearsal-notes.md', content: notes(plan) } }] }
  }
  return { text: report(scene, plan) }
}

function ask(scene: Scene): Line {
  if (scene.offers('ask_user')) return { text: '', calls: [{ tool: 'ask_user', input: question }] }
  return { text: `\`\`\`json\n${JSON.stringify(question, null, 2)}\n\`\`\`` }
}

function notes(plan: PlanContent): string {
  return `# Rehearsal notes\n\nWritten by the rehearsal model; no AI model was asked.\n\nGoal: ${plan.goal}\n\n${steps(plan)}\n`
}

function report(scene: Scene, plan: PlanContent): string {
  const wrote = scene.since.some((entry) => entry.from === 'tool' && entry.tool === 'create_file' && entry.outcome === 'ok')
  return `Rehearsal model: I went through the approved plan.\n\n${steps(plan)}\n\n${wrote ? 'I created rehearsal-notes.md and changed nothing else.' : 'I changed nothing.'}`
}

function steps(plan: PlanContent): string {
  return plan.steps.map((step) => `${step.step_number}. ${step.action}`).join('\n')
}
