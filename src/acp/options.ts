import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { FolderContext } from '../agent/folder-context.ts'
import type { Chat } from '../domain/chat.ts'
import { Reasoning } from '../domain/reasoning.ts'

export const ROLE_OPTION = 'mode'
export const MODEL_OPTION = 'model'
export const REASONING_OPTION = 'reasoning'

/** The value of an option that leaves the choice to the role or the settings. */
export const DEFAULT_VALUE = 'default'

/** What a person can choose for a session. Some editors read the role from `modes`, some from the options: both always say the same. */
export function choicesOf(chat: Chat, place: FolderContext, models: readonly string[]) {
  return { modes: modesOf(chat, place), configOptions: optionsOf(chat, place, models) }
}

function modesOf({ config }: Chat, { agent: { roles } }: FolderContext): SessionModeState {
  const availableModes = roles.list().map(({ id, name, description }) => ({ id, name, description }))
  return { currentModeId: roles.resolve(config.agent_role).role.id, availableModes }
}

export function optionsOf(chat: Chat, place: FolderContext, models: readonly string[]): SessionConfigOption[] {
  const { currentModeId } = modesOf(chat, place)
  const { model, reasoning, agent_role } = chat.config
  const known = [...new Set([...models, ...(model === null ? [] : [model])])]
  return [
    {
      type: 'select',
      id: ROLE_OPTION,
      name: 'Role',
      category: 'mode',
      description: 'What the agent may do. Troupe enforces it.',
      currentValue: currentModeId,
      options: place.agent.roles.list().map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      type: 'select',
      id: MODEL_OPTION,
      name: 'Model',
      category: 'model',
      currentValue: model ?? DEFAULT_VALUE,
      options: [
        { value: DEFAULT_VALUE, name: `Default (${place.modelFor(agent_role, null)})` },
        ...known.map((name) => ({ value: name, name })),
      ],
    },
    {
      type: 'select',
      id: REASONING_OPTION,
      name: 'Reasoning',
      category: 'thought_level',
      currentValue: reasoning ?? DEFAULT_VALUE,
      options: [{ value: DEFAULT_VALUE, name: 'Default' }, ...Reasoning.options.map((level) => ({ value: level, name: level }))],
    },
  ]
}
