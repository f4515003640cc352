import { hash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import { next } from '../domain/flow.ts'
import { newId } from '../domain/id.ts'
import { planFlow, type Plan, type PlanContent } from '../domain/plan.ts'
import type { Approval, Question, QuestionContent } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { plans } from '../store/run-tables.ts'

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

/** Stores a plan as the next version of its thread; the versions before it can no longer be approved. */
export async function addPlan(tx: Driver, plan: Plan): Promise<Plan> {
  const versions = await plans.list(tx, { where: { thread_id: plan.thread_id } })
  const previous = versions.toSorted((a, b) => b.item.version - a.item.version)[0]
  if (!previous) return (await plans.add(tx, plan)).item
  const { id, status, version } = previous.item
  if (status === 'draft' || status === 'approved') {
    await plans.replace(tx, previous, { ...previous.item, status: next(planFlow, status, 'supersede', 'runtime') })
  }
  return (await plans.add(tx, { ...plan, version: version + 1, previous_id: id })).item
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
    // Something critical is never decided by leaving it as it stands.
    content: content.severity === 'critical' ? { ...content, default: null } : content,
    role: run.agent_role,
    approval,
    answer: null,
    created_at: now.toISOString(),
  }
}
