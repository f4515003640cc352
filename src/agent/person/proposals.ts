import { hash } from 'node:crypto'
import { canonicalJson } from '../../domain/text/canonical-json.ts'
import { nextState } from '../../domain/flow.ts'
import { newId } from '../../domain/id.ts'
import { planFlow, type Plan, type PlanContent } from '../../domain/plan.ts'
import type { Approval, Question, QuestionContent } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { plans } from '../../store/run-tables.ts'

/** The fingerprint of what a plan says; approving it approves exactly this. */
export function planHash(content: PlanContent): string {
  return hash('sha256', canonicalJson(content))
}

/** A plan a model has proposed. It becomes a version of its thread when it is stored. */
export function draftPlan(run: Run, content: PlanContent, now: Date): Plan {
  return {
    id: newId('plan', now),
    thread_id: run.thread_id,
    version: 1,
    previous_id: null,
    status: planFlow.initial,
    hash: planHash(content),
    content,
    created_at: now.toISOString(),
    created_by: run.agent_role,
    approved_at: null,
    approved_by: null,
  }
}

/** Stores a plan as the next version of its thread. The versions before it can no longer be approved, but for those it is `besides`: others of the same reply. */
export async function addPlan(tx: Driver, plan: Plan, besides: readonly string[] = []): Promise<Plan> {
  const stored = await plans.items(tx, { where: { thread_id: plan.thread_id } })
  const versions = stored.toSorted((a, b) => a.version - b.version)
  const previous = versions.findLast(({ id }) => !besides.includes(id))
  await supersedePlans(tx, plan.thread_id, besides)
  const version = (versions.at(-1)?.version ?? 0) + 1
  return (await plans.add(tx, { ...plan, version, previous_id: plan.previous_id ?? previous?.id ?? null })).item
}

/** Withdraws every plan of a thread that could still be carried out, but for some. */
export async function supersedePlans(tx: Driver, thread_id: string, but: readonly string[]): Promise<void> {
  for (const open of await plans.list(tx, { where: { thread_id, status: ['draft', 'approved'] } })) {
    if (but.includes(open.item.id)) continue
    await plans.replace(tx, open, { ...open.item, status: nextState(planFlow, open.item.status, 'supersede', 'runtime') })
  }
}

/** A question a run puts to a person; `approval` when it asks leave for one call. */
export function newQuestion(
  run: Pick<Run, 'id' | 'thread_id' | 'agent_role'>,
  content: QuestionContent,
  approval: Approval | null,
  now: Date,
): Question {
  return {
    id: newId('question', now),
    thread_id: run.thread_id,
    run_id: run.id,
    status: 'pending',
    // Something critical is never decided by leaving it as it is.
    content: content.severity === 'critical' ? { ...content, default: null } : content,
    role: run.agent_role,
    approval,
    answer: null,
    created_at: now.toISOString(),
  }
}
