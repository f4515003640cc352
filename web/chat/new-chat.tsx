import { useQueryClient } from '@tanstack/react-query'
import { FolderOpen, Play } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { perform, useRead } from '../api.ts'
import { RoleNote, RoleSelect, useRoles } from '../roles/role-badge.tsx'
import { useProject } from '../shell/use-project.ts'
import { Button } from '../ui/form/button.tsx'
import { TextArea, TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { iconOf } from '../ui/role/role-icon.tsx'
import { sendText, useComposerText } from './unsent.ts'

const DEMO_REQUEST = 'The test for parsePrice fails. Find out why and fix it.'

async function demoFolder(): Promise<string> {
  return (await perform('chat.open_demo', {})).workspace
}

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
  const status = useRead('system.status', {})
  const { open, busy, failure } = useOpenChat()
  const [workspace, setWorkspace] = useState<string | null>(null)
  const [role, setRole] = useState('planner')
  const [text, setText] = useComposerText('new')
  const [project] = useProject()
  const folder = workspace ?? project ?? status.data?.workspace ?? ''
  const chosen = useRoles().get(role)

  return (
    <Form
      aria-label="New chat"
      onSubmit={() =>
        void open(
          async () => folder,
          role,
          text,
          () => setText(() => ''),
        )
      }
    >
      <TextArea
        label="What do you want done?"
        rows={4}
        autoFocus
        value={text}
        onText={(typed) => setText(() => typed)}
        placeholder="Describe the change, or ask about the code"
      />
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <TextField label="Folder to work in" required value={folder} onText={setWorkspace} spellCheck={false} />
        <RoleSelect label="Start as" value={role} onText={setRole} />
      </div>
      {chosen && <RoleNote role={chosen} />}
      {failure !== null && <ErrorNote error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={busy || folder === ''} icon={iconOf(chosen)}>
          {text.trim() === '' ? 'Open chat' : 'Start'}
        </Button>
        <Button onClick={() => void open(demoFolder, 'planner', DEMO_REQUEST)} disabled={busy} icon={Play}>
          Try it in the demo workspace
        </Button>
      </div>
    </Form>
  )
}

/** Creates the chat, goes there and says the first thing in it. What was refused stays on the form. */
function useOpenChat() {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function open(folder: () => Promise<string>, agent_role: string, request: string, onOpened?: () => void) {
    setBusy(true)
    setFailure(null)
    try {
      const chat = await perform('chat.create', { workspace: await folder(), agent_role })
      if (request.trim() !== '') sendText(queries, chat.id, { text: request, attachments: [] })
      onOpened?.()
      go(`/chat/${chat.id}`)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { open, busy, failure }
}
