import { FolderOpen, Play } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import type { RoleView } from '../../src/api/contract/role.ts'
import { call, useChange, useRoute } from '../api.ts'
import { RoleExplained, useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { ErrorNote } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { RoleIcon } from '../ui/role-icon.tsx'

const DEMO_REQUEST = 'The test for parsePrice fails. Find out why and fix it.'

/** The first thing a person sees: a folder, a role, a request. */
export function NewChat() {
  return (
    <Page title="New chat" about="Plan with the Planner, read the plan, press Execute; the Actor does it and asks when it matters.">
      <RequestForm />
      <p className="flex items-center gap-2 text-sm text-soft">
        <FolderOpen size={16} aria-hidden /> A chat can touch only its own folder. A Planner cannot change even that.
      </p>
    </Page>
  )
}

function RequestForm() {
  const status = useRoute('status', {})
  const { open, create } = useOpenChat()
  const [workspace, setWorkspace] = useState<string | null>(null)
  const [role, setRole] = useState('planner')
  const [text, setText] = useState('')
  const folder = workspace ?? status.data?.workspace ?? ''
  const chosen = useRoles().get(role)

  function start(event: FormEvent) {
    event.preventDefault()
    void open(folder, role, text)
  }
  return (
    <form onSubmit={start} className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <TextArea
        label="What do you want done?"
        rows={4}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Describe the change, or ask about the code"
      />
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <TextField
          label="Folder to work in"
          required
          value={folder}
          onChange={(event) => setWorkspace(event.target.value)}
          spellCheck={false}
        />
        <RoleSelect role={role} onRole={setRole} />
      </div>
      {chosen && <ChosenRole role={chosen} />}
      {create.isError && <ErrorNote error={create.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look="primary"
          disabled={create.isPending || folder === ''}
          icon={<RoleIcon icon={chosen?.icon ?? 'user'} size={16} />}
        >
          {text.trim() === '' ? 'Open chat' : 'Start'}
        </Button>
        <DemoButton disabled={create.isPending} onStart={(demo) => void open(demo, role, DEMO_REQUEST)} />
      </div>
    </form>
  )
}

/** Makes the chat, says the first thing in it, and goes there. */
function useOpenChat() {
  const [, go] = useLocation()
  const create = useChange('createChat')
  async function open(workspace: string, agent_role: string, request: string) {
    const chat = await create.mutateAsync({ body: { workspace, agent_role } }).catch(() => null)
    if (chat === null) return
    if (request.trim() !== '') await call('sendMessage', { params: { id: chat.id }, body: { text: request } })
    go(`/chat/${chat.id}`)
  }
  return { open, create }
}

function ChosenRole({ role }: { role: RoleView }) {
  return (
    <div className="rounded-lg bg-raised px-3 py-2 text-sm text-soft" data-role-color={role.color}>
      <RoleExplained role={role} />
    </div>
  )
}

function DemoButton({ disabled, onStart }: { disabled: boolean; onStart: (workspace: string) => void }) {
  const demo = useRoute('status', {}).data?.demo_workspace ?? null
  if (demo === null) return null
  return (
    <Button onClick={() => onStart(demo)} disabled={disabled} icon={<Play size={16} aria-hidden />}>
      Try it in the demo workspace
    </Button>
  )
}

function RoleSelect({ role, onRole }: { role: string; onRole: (role: string) => void }) {
  const options = [...useRoles().values()].map(({ id, name }) => ({ value: id, label: name }))
  return <SelectField label="Start as" value={role} onChange={(event) => onRole(event.target.value)} options={options} />
}
