import type { ChosenModel } from '../../agent/agent.ts'
import { countCutOffRequests } from '../../agent/run/draft.ts'
import { dollars } from '../../domain/text/format.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import { runsOf, spentOnTask } from '../agent/runs-of.ts'
import type { TeamContext } from './context.ts'

/** A performer that is asked nothing more once a budget is used up. */
export function withinBudget(team: TeamContext, task: string | null, performer: ChosenModel): ChosenModel {
  const { provider } = performer
  const limited = Object.values(team.budgets).some((amount) => amount !== null)
  if (!limited) return performer
  const ask: typeof provider.ask = async (...args) => {
    await refuseBeyondBudget(team, task)
    return provider.ask(...args)
  }
  return { ...performer, provider: { ...provider, ask } }
}

/** Which budget of the team or the day refuses every request now, and why; nothing when none does. */
export async function budgetRefusal(team: TeamContext): Promise<string | undefined> {
  const { team_microusd, day_microusd } = team.budgets
  if (team_microusd === null && day_microusd === null) return undefined
  try {
    await refuseBeyondBudget(team, null)
  } catch (error) {
    if (error instanceof Problem && error.code === 'budget') return error.message
    throw error
  }
}

/** Refuses the next request when a budget is used up, and says which. */
async function refuseBeyondBudget(team: TeamContext, task: string | null): Promise<void> {
  const { driver, board_id } = team.board
  const { task_microusd, team_microusd, day_microusd } = team.budgets
  await countCutOffRequests(driver, await driver.now())
  const all = await runsOf(driver, board_id)
  const today = (await driver.now()).toISOString().slice(0, 10)
  refuse('team', team_microusd, all)
  refuse(
    'day',
    day_microusd,
    all.filter(({ started_at }) => started_at.startsWith(today)),
  )
  if (task !== null) refuse('task', task_microusd, await runsOf(driver, board_id, task), task)
}

function refuse(whose: 'task' | 'team' | 'day', budget: number | null, spent: readonly Run[], name = ''): void {
  if (budget === null) return
  const sum = spentOnTask(spent).cost_microusd
  if (sum === null) {
    const unpriced = spent.find(({ usage }) => usage.cost_microusd === null)
    throw new Problem('budget', `the price of ${unpriced?.model} is unknown, so the budget of the ${whose} cannot be kept`, {
      details: { budget: whose },
    })
  }
  if (sum < budget) return
  const of = whose === 'task' ? `task ${name}` : whose
  throw new Problem('budget', `the budget of the ${of} is used up: ${dollars(sum)} of ${dollars(budget)}`, { details: { budget: whose } })
}
