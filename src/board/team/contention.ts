import { setTimeout as sleep } from 'node:timers/promises'
import { asProblem, Problem } from '../../domain/problem.ts'
import { isInTheWay } from '../../worktrees/worktree.ts'
import { logActivity } from '../activity.ts'
import type { TeamMember } from './member.ts'

const TRIES = 3

/** Tries to claim something, at most three times, each failure logged and followed by a random wait. */
export async function claimPatiently<T>(member: TeamMember, claim: () => Promise<T>): Promise<T | 'claim_failed'> {
  const { board, pace } = member.team
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await withoutBeats(member, claim)
    } catch (error) {
      if (!isContention(error)) throw error
      member.trouble = asProblem(error).message
      const detail = `try ${tried} of ${TRIES}: ${member.trouble}`
      await logActivity(board, { agent: member.identity.agent, action: 'claim_failed', detail })
      const [least, most] = pace.contention_ms
      await sleep(least + Math.random() * (most - least), undefined, { signal: member.signal }).catch(() => undefined) // its caller looks
      if (member.signal.aborted) return 'claim_failed'
    }
  }
  return 'claim_failed'
}

/** Whether a refusal is about the task rather than about the agent: somebody else has it, or had it a moment ago. */
export function isLostTask(error: unknown): boolean {
  return error instanceof Problem && error.code === 'forbidden' && typeof error.details['task'] === 'string'
}

/** What a person has in the way of a worktree is there for longer than we would try. */
function isContention(error: unknown): boolean {
  if (isInTheWay(error)) return false
  return isLostTask(error) || !['internal', 'forbidden', 'needs_person'].includes(asProblem(error).code)
}

async function withoutBeats<T>(member: TeamMember, claim: () => Promise<T>): Promise<T> {
  member.claiming = true
  try {
    return await claim()
  } finally {
    member.claiming = false
  }
}
