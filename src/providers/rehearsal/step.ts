import type { Line, Scene } from './scene.ts'
import { sampleOf } from '../script/sample-pattern.ts'

/** Plays a step of a workflow: an output that meets what the step demands, and a value for every variable that is asked for. */
export function rehearseStep(scene: Scene): Line {
  if (scene.turn > 0) return { text: 'Rehearsal model: the step is handed in.' }
  return { text: '', calls: [{ tool: 'finish_step', input: { output: outputFor(scene), context: variablesFor(scene) } }] }
}

function outputFor({ system }: Scene): string {
  const demands = [...system.matchAll(/^- the output (.*)$/gm)].map(([, demand = '']) => demand)
  const json = demands.some((demand) => demand.startsWith('is JSON'))
  if (json) return '{}'
  const text = ['This is the rehearsal model: no AI model carried out the step.', ...demands.map(meet)]
    .filter((line) => line !== '')
    .join('\n')
  const least = Math.max(0, ...demands.map((demand) => Number(/^has (\d+) to/.exec(demand)?.[1] ?? 0)))
  return text.length >= least ? text : `${text}\n${'It would say more here. '.repeat(Math.ceil((least - text.length) / 24))}`
}

/** A line that meets a demand; of several choices the first. */
function meet(demand: string): string {
  const [, text] = /^contains ("(?:[^"\\]|\\.)*")/.exec(demand) ?? []
  if (text !== undefined) return String(JSON.parse(text))
  const [, pattern] = /^matches \/(.*)\/[a-z]*(?: — .*)?$/.exec(demand.split(' | or ')[0] ?? '') ?? []
  return pattern === undefined ? '' : sampleOf(pattern)
}

/** Nobody finds anything out in a rehearsal: yes is the answer, or a list or a number where the answer before was refused. */
function variablesFor({ wish }: Scene): Record<string, unknown> {
  const [, names] = /^Find out (.+) from what was done so far/m.exec(wish) ?? []
  const asked = names === undefined ? [] : names.split(', ').map((name): [string, unknown] => [name, true])
  const kinds = [...wish.matchAll(/(\w+) must be (an array|a whole number)/g)]
  const corrected = kinds.map(([, name = '', kind]): [string, unknown] => [name, kind === 'an array' ? ['rehearsal'] : 1])
  return Object.fromEntries([...asked, ...corrected])
}
