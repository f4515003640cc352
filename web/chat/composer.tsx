import { useQueryClient } from '@tanstack/react-query'
import { SendHorizontal, Square, Zap } from 'lucide-react'
import type { ChatView } from './chat-view.ts'
import type { RoleView } from '../roles/role-view.ts'
import type { Plan } from '../../src/domain/plan.ts'
import { useActionsHere } from '../ui/actions-here.ts'
import { usePerform } from '../api.ts'
import { useModeWords, useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { AttachButton, AttachedList, useDropped } from './attach-files.tsx'
import { useAttached, withAttached } from './attached.ts'
import { MessageBox } from './message-box.tsx'
import { sendText, useComposerText, useUnsent } from './unsent.ts'

/** Words that sound like approval. They may offer the button; they never press it. */
const SOUNDS_LIKE_GO = /^\s*(go( ahead)?|yes|ok(ay)?|proceed|do it|execute|approved?|continue|lgtm|looks good)[\s.!]*$/i

/** The text box. Enter sends, Shift+Enter makes a line, Stop ends the turn. */
export function Composer({ chat }: { chat: ChatView }) {
  const queries = useQueryClient()
  const [text, setText] = useComposerText(chat.id)
  const sending = useUnsent(chat).unsent.some(({ state }) => state === 'sending')
  const role = useRoles().get(chat.enforced_role)
  const mode = useModeWords(role)
  const drafts = chat.plans.filter(({ status }) => status === 'draft')

  const files = useAttached(chat.id)
  useDropped(files.add)
  const isEmpty = text.trim() === '' && files.attached.length === 0

  function submit() {
    if (isEmpty || sending) return
    setText(() => '') // at once: what is typed while this one is on its way is the next message
    files.clear()
    sendText(queries, chat.id, withAttached(text.trim() === '' ? 'Look at what is attached.' : text, files.attached))
  }
  return (
    <div data-role-color={role?.color ?? 'slate'} className="border-t border-line bg-surface py-3">
      <div className="mx-auto flex max-w-3xl flex-col gap-2 px-3 sm:px-5">
        {drafts.length > 0 && SOUNDS_LIKE_GO.test(text) && (
          <ExecuteOffer chatId={chat.id} drafts={drafts} onStarted={() => setText(() => '')} />
        )}
        <WaitingNote chat={chat} />
        <AttachedList {...files} />
        <div className="flex items-end gap-2">
          <AttachButton onFiles={files.add} />
          <MessageBox
            key={chat.id}
            chatId={chat.id}
            text={text}
            setText={(typed) => setText(() => typed)}
            placeholder={
              chat.running ? `Add something; the ${role?.name ?? 'agent'} reads it with its next turn` : restPlaceholder(role, mode.label)
            }
            onSend={submit}
            onFiles={files.add}
          />
          {(!chat.running || !isEmpty) && <SendButton disabled={isEmpty || sending} onSend={submit} />}
          {chat.running && <StopButton chatId={chat.id} />}
        </div>
        <p className="text-xs text-soft">
          <span className="max-sm:hidden">Enter sends · Shift+Enter new line · @ names a file · Ctrl+. switches the role · </span>
          <span className="font-medium text-role">{role?.name ?? chat.enforced_role}</span> is enforced by the server
        </p>
      </div>
    </div>
  )
}

/** What a message would do to the questions that wait. */
function WaitingNote({ chat }: { chat: ChatView }) {
  const asked = chat.questions.filter(({ status }) => status === 'pending').length
  if (asked === 0) return null
  return (
    <p className="text-xs text-warn">
      {asked === 1 ? 'A question waits for your answer.' : `${asked} questions wait for your answer.`} Sending a message withdraws what was
      asked and starts a new turn.
    </p>
  )
}

function restPlaceholder(role: RoleView | undefined, mode: string): string {
  if (role?.mode === 'delegate') return `Tell the ${role.name} what you want done. ${mode}`
  return role?.mode === 'act' ? `Tell the ${role.name} what to do` : 'Ask, discuss or give feedback; nothing is changed in this mode'
}

/** Offers the button where one plan waits; of several a person has to choose one, on its card. */
function ExecuteOffer({ chatId, drafts, onStarted }: { chatId: string; drafts: readonly Plan[]; onStarted: () => void }) {
  const [plan, ...others] = drafts
  if (plan !== undefined && others.length === 0) return <ExecuteOne chatId={chatId} plan={plan} onStarted={onStarted} />
  return (
    <p className="rounded-lg bg-accent-wash px-3 py-2 text-sm">
      A message does not start a plan. There are {drafts.length} to choose from: press Execute Plan on the one you want.
    </p>
  )
}

function ExecuteOne({ chatId, plan, onStarted }: { chatId: string; plan: Plan; onStarted: () => void }) {
  const execute = usePerform('chat.execute_plan')
  const start = () => execute.mutate({ chat: chatId, plan: plan.id, hash: plan.hash }, { onSuccess: onStarted })
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-wash px-3 py-2 text-sm">
      <span className="min-w-0 flex-1">A message does not start a plan. To run version {plan.version}, press the button.</span>
      <Button small look="primary" icon={Zap} onClick={start}>
        Execute Plan
      </Button>
      {execute.isError && <ErrorNote error={execute.error} />}
    </div>
  )
}

function StopButton({ chatId }: { chatId: string }) {
  const stop = usePerform('chat.stop')
  useActionsHere([{ label: 'Stop', run: () => stop.mutate({ chat: chatId }) }])
  return (
    <Button look="danger" icon={Square} disabled={stop.isPending} onClick={() => stop.mutate({ chat: chatId })}>
      {stop.isError ? 'Stop again' : 'Stop'}
    </Button>
  )
}

function SendButton({ disabled, onSend }: { disabled: boolean; onSend: () => void }) {
  return (
    <Button look="role" aria-label="Send" icon={SendHorizontal} disabled={disabled} onClick={onSend}>
      <span className="max-sm:hidden">Send</span>
    </Button>
  )
}
