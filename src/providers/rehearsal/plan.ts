import type { PlanContent } from '../../domain/plan.ts'
import { called, step, type Line, type Scene } from './scene.ts'
import { isDemo, planDemo } from './demo.ts'

/** Files a newcomer opens first, in that order. */
const telling = ['README.md', 'README', 'package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'Makefile']

/** Looks around, reads a few files, hands back a plan for the wish. */
export function rehearsePlan(scene: Scene): Line {
  if (isDemo(scene)) return planDemo(scene)
  if (scene.turn === 0 && scene.offers('list_directory')) {
    return { text: 'Rehearsal model: I look at the project first.', calls: [{ tool: 'list_directory', input: { path: '.' } }] }
  }
  const files = filesSeen(scene)
  if (scene.turn === 1 && files.length > 0) return { text: '', calls: files.map((path) => ({ tool: 'read_file', input: { path } })) }
  const plan = planFor(scene.wish, files)
  if (scene.offers('submit_plan') && !called(scene, 'submit_plan')) {
    return { text: 'Rehearsal model: this plan was put together without an AI model.', calls: [{ tool: 'submit_plan', input: plan }] }
  }
  return {
    text: `Rehearsal model: this plan was put together without an AI model.\n\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``,
  }
}

/** At most three files that the listing names at the top of the project. */
function filesSeen(scene: Scene): string[] {
  const listing = scene.since.find((entry) => entry.from === 'tool' && entry.tool === 'list_directory')
  if (listing?.from !== 'tool' || listing.outcome !== 'ok') return []
  const words = new Set(listing.output.split(/[\s,"']+/))
  return telling.filter((file) => words.has(file)).slice(0, 3)
}

function planFor(wish: string, files: readonly string[]): PlanContent {
  const goal = firstSentence(wish)
  const read = files.length === 0 ? 'the files the request is about' : files.join(', ')
  return {
    goal,
    steps: [
      step(1, `Read ${read}`, 'To change only what the request is about', ['read_file', 'search_code']),
      step(2, `Make the change: ${goal}`, 'This is what was asked for', ['create_file', 'update_file']),
      step(3, 'Check the result', 'A change that was not checked is not done', ['git_diff']),
    ],
    estimated_total_time: '6 minutes',
    risks: ['The rehearsal model wrote this plan without understanding the request'],
    prerequisites: [],
  }
}

function firstSentence(wish: string): string {
  const sentence = wish.trim().split(/(?<=[.!?])\s|\n/)[0] ?? ''
  return sentence === '' ? 'See what this project is' : sentence.slice(0, 200)
}
