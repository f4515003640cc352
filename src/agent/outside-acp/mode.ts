import { methods, type ClientContext, type NewSessionResponse } from '@agentclientprotocol/sdk'
import { canChange } from '../../domain/role.ts'
import type { Run } from '../../domain/run.ts'

// The names that agents give to their modes, the fitting ones first. None that skips questions is among them: it would be no courtesy.
// oxfmt-ignore
const wanted = {
  change: ['acceptEdits', 'agent-full-access', 'autoEdit', 'build', 'agent', 'code', 'default'],
  read:   ['plan', 'read-only', 'ask', 'default'],
} as const

/** Sets the mode of a session that fits the role, where the agent has one. It may ignore it: what holds is the sandbox. */
export async function setRoleMode(agent: ClientContext, session: NewSessionResponse, run: Run): Promise<void> {
  const { sessionId, modes, configOptions } = session
  const names = canChange(run.permissions) ? wanted.change : wanted.read
  const option = configOptions?.find(({ category, id }) => category === 'mode' || id === 'mode')
  if (option?.type === 'select') {
    const values = option.options.flatMap((one) => ('options' in one ? one.options : [one])).map(({ value }) => value)
    const value = names.find((name) => values.includes(name))
    if (value === undefined || value === option.currentValue) return
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
    return
  }
  const modeId = names.find((name) => modes?.availableModes.some(({ id }) => id === name))
  if (modeId === undefined || modeId === modes?.currentModeId) return
  await agent.request(methods.agent.session.setMode, { sessionId, modeId })
}
