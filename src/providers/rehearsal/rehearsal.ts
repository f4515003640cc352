import { noUsage } from '../../domain/entry.ts'
import { Problem } from '../../domain/problem.ts'
import type { ModelReply, ModelRequest, ModelWatch, Provider } from '../provider.ts'
import { sceneOf, type Line, type Scene } from './scene.ts'
import { rehearseAct } from './act.ts'
import { isOnBoard, rehearseBoard } from './board.ts'
import { rehearseJob } from './job.ts'
import { rehearsePlan } from './plan.ts'
import { rehearseStep } from './step.ts'

/** The model when there is none: no intelligence, no network, always the same; it lets every screen be seen and says what it is. */
export function rehearsalProvider(): Provider {
  return { name: 'rehearsal', contextWindow: () => null, ask }
}

async function ask(request: ModelRequest, signal: AbortSignal, { onText }: ModelWatch = {}): Promise<ModelReply> {
  if (signal.aborted) throw new Problem('stopped', 'the rehearsal was stopped')
  const line = lineFor(sceneOf(request))
  if (line.text !== '') onText?.(line.text)
  const calls = (line.calls ?? []).map((call, at) => ({ id: `call_${request.entries.length}_${at + 1}`, ...call }))
  return { text: line.text, calls, usage: noUsage, model: 'rehearsal', stop: calls.length > 0 ? 'calls' : 'end' }
}

function lineFor(scene: Scene): Line {
  if (scene.offers('finish_step')) return rehearseStep(scene)
  if (scene.offers('exit')) return rehearseJob(scene)
  if (isOnBoard(scene)) return rehearseBoard(scene)
  const mayChange = ['create_file', 'update_file', 'delete_file'].some((tool) => scene.offers(tool))
  if (!mayChange && scene.offers('read_file')) return rehearsePlan(scene)
  if (mayChange && scene.plan !== null) return rehearseAct(scene, scene.plan)
  return {
    text: 'This is the rehearsal model: no key is set, so no AI model is behind it. It can show a plan (in the Planner role) and play an approved one (in the Actor role). Set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY for real answers.',
  }
}
