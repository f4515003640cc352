import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { callTarget } from '../../src/domain/call-target.ts'
import type { ChatView } from './chat-view.ts'
import type { RoleView } from '../roles/role-view.ts'
import { Refusal, usePerform } from '../api.ts'
import { RoleExplained, useModeWords, useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { iconOf, RoleIcon } from '../ui/role/role-icon.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { useActionsHere } from '../ui/actions-here.ts'
import { useShortcut } from '../ui/use-keys.ts'

/** The role that is enforced now, as the server says, and the one place where a person changes it. Ctrl+. opens the list. Nothing is shown before the roles are known. */
export function RoleSwitcher({ chat }: { chat: ChatView }) {
  const roles = useRoles()
  const configure = usePerform('chat.configure')
  const [confirming, setConfirming] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const now = roles.get(chat.enforced_role)
  const refused = configure.error

  function switchTo(agent_role: string, confirm = false) {
    setConfirming(null)
    if (agent_role === chat.agent_role) return
    const onError = (error: Error) => error instanceof Refusal && error.code === 'confirmation_required' && setConfirming(agent_role)
    configure.mutate({ chat: chat.id, agent_role, confirm }, { onError })
  }
  function keep() {
    setConfirming(null)
    configure.reset() // what was refused was not wanted after all; left there it would stay in the heading for good
  }
  useShortcut('switch_role', () => setOpen(true))
  useActionsHere([{ label: 'Switch role', run: () => setOpen(true) }])
  if (roles.size === 0) return null
  return (
    <div data-role-color={now?.color ?? 'slate'} className="flex min-w-0 items-center gap-1 sm:gap-2">
      <ModeChip role={now} />
      <Menu
        open={open}
        onOpenChange={setOpen}
        about={now ? <RoleExplained role={now} /> : `The role ${chat.enforced_role} is not loaded; only reading is allowed.`}
        label={`Role: ${now?.name ?? chat.enforced_role}. Switch role`}
        trigger={
          <Button look="role" icon={iconOf(now)} disabled={configure.isPending}>
            <span className="max-sm:hidden">{now?.name ?? chat.enforced_role}</span>
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
      <NextRole chat={chat} />
      {confirming === null && <SwitchRefused error={refused} />}
      {confirming !== null && <StopDialog chat={chat} about={refused?.message} onKeep={keep} onStop={() => switchTo(confirming, true)} />}
    </div>
  )
}

function SwitchRefused({ error }: { error: Error | null }) {
  if (error === null) return null
  return (
    <span role="alert" className="text-xs text-danger">
      {error.message}
    </span>
  )
}

/** What the role makes of the chat, at every width; what that means, on hover and focus. */
function ModeChip({ role }: { role: RoleView | undefined }) {
  const words = useModeWords(role)
  return (
    <Tooltip text={words.about}>
      <span tabIndex={0} className="min-w-0 truncate rounded-md bg-role-wash px-1 py-1 text-xs sm:px-2 font-semibold text-role">
        <span className="md:hidden">{words.short}</span>
        <span className="max-md:hidden">{words.label}</span>
      </span>
    </Tooltip>
  )
}

/** The role of the next turn, where it was switched while one is at work. */
function NextRole({ chat }: { chat: ChatView }) {
  const next = useRoles().get(chat.agent_role)
  if (chat.agent_role === chat.enforced_role) return null
  return <span className="truncate text-xs text-soft">then {next?.name ?? chat.agent_role}</span>
}

const doing = { plan: 'reads', act: 'acts', delegate: 'starts others' } as const

function RoleChoice({ role }: { role: RoleView }) {
  return (
    <span data-role-color={role.color} className="flex items-center gap-2">
      <span className="text-role">
        <RoleIcon role={role} />
      </span>
      <span>{role.name}</span>
      <span className="text-xs text-soft">{doing[role.mode]}</span>
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
