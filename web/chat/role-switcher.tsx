import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { callTarget } from '../../src/domain/call-target.ts'
import type { ChatView } from '../../src/api/contract/chat.ts'
import type { RoleView } from '../../src/api/contract/role.ts'
import { Refusal, useChange } from '../api.ts'
import { RoleExplained, useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { iconOf, RoleIcon } from '../ui/role-icon.tsx'
import { useKeys } from '../ui/use-keys.ts'

/** The role that is enforced now, as the server says, and the one place where a person changes it. Shift+Tab flips Planner and Actor. Nothing is shown before the roles are known. */
export function RoleSwitcher({ chat }: { chat: ChatView }) {
  const roles = useRoles()
  const configure = useChange('configureChat')
  const [confirming, setConfirming] = useState<string | null>(null)
  const now = roles.get(chat.agent_role)
  const refused = configure.error

  function switchTo(agent_role: string, confirm = false) {
    setConfirming(null)
    if (agent_role === chat.agent_role) return
    const onError = (error: Error) => error instanceof Refusal && error.code === 'confirmation_required' && setConfirming(agent_role)
    configure.mutate({ params: { id: chat.id }, body: { agent_role, confirm } }, { onError })
  }
  useShiftTab(() => switchTo(now?.mode === 'plan' ? 'actor' : 'planner'))
  if (roles.size === 0) return null
  return (
    <div data-role-color={now?.color ?? 'slate'} className="flex items-center gap-2">
      <span className="hidden rounded-md bg-role-wash px-2 py-1 text-xs font-semibold text-role md:inline">
        {now?.mode === 'act' ? 'Act mode' : 'Plan mode'}
      </span>
      <Menu
        about={now ? <RoleExplained role={now} /> : `The role ${chat.agent_role} is not loaded; only reading is allowed.`}
        label={`Role: ${now?.name ?? chat.agent_role}. Switch role`}
        trigger={
          <Button look="role" icon={iconOf(now)} disabled={configure.isPending}>
            <span className="max-sm:hidden">{now?.name ?? chat.agent_role}</span>
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
        items={[...roles.values()].map((role) => ({
          key: role.id,
          chosen: role.id === chat.agent_role,
          onSelect: () => switchTo(role.id),
          label: <RoleChoice role={role} />,
        }))}
      />
      {refused !== null && confirming === null && (
        <span role="alert" className="text-xs text-danger">
          {refused.message}
        </span>
      )}
      {confirming !== null && (
        <StopDialog chat={chat} about={refused?.message} onKeep={() => setConfirming(null)} onStop={() => switchTo(confirming, true)} />
      )}
    </div>
  )
}

function RoleChoice({ role }: { role: RoleView }) {
  return (
    <span data-role-color={role.color} className="flex items-center gap-2">
      <span className="text-role">
        <RoleIcon role={role} />
      </span>
      <span>{role.name}</span>
      <span className="text-xs text-soft">{role.mode === 'plan' ? 'reads' : 'acts'}</span>
    </span>
  )
}

/** The calls that are under way, as their lines name them. */
function runningCalls({ messages }: ChatView): string[] {
  const running = new Set(
    messages.flatMap((message) => (message.type === 'tool_result' && message.outcome === 'running' ? [message.call_id] : [])),
  )
  return messages.flatMap((message) =>
    message.type === 'tool_call' && running.has(message.call_id) ? [`${message.tool} ${callTarget(message.input)}`] : [],
  )
}

interface StopDialogProps {
  chat: ChatView
  about: string | undefined
  onKeep: () => void
  onStop: () => void
}

function StopDialog({ chat, about, onKeep, onStop }: StopDialogProps) {
  return (
    <Dialog
      onClose={onKeep}
      title="Stop the work in progress?"
      about={about ?? 'Work in progress will stop.'}
      actions={
        <>
          <Button data-autofocus onClick={onKeep}>
            Keep it running
          </Button>
          <Button look="danger" onClick={onStop}>
            Stop and switch
          </Button>
        </>
      }
    >
      {runningCalls(chat).map((call) => (
        <p key={call} className="mb-2 truncate rounded-md border border-line bg-raised px-2 py-1 font-mono text-xs">
          {call}
        </p>
      ))}
      <p className="text-sm text-soft">Files stay as the last finished tool left them.</p>
    </Dialog>
  )
}

/** Only in the text box of the chat: elsewhere, the fields of a plan included, Shift+Tab must keep moving the focus back. */
function useShiftTab(onPress: () => void) {
  useKeys((event) => {
    if (event.key !== 'Tab' || !event.shiftKey || !(event.target instanceof HTMLElement) || !('composer' in event.target.dataset)) return
    event.preventDefault()
    onPress()
  })
}
