import { Archive, Download, Pin, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { AllowedCommands } from './allowed-commands.tsx'
import type { ChatView } from './chat-view.ts'
import type { Reasoning } from '../../src/domain/reasoning.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SelectField, TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

/** How long a model may be told to think. */
const efforts = ['none', 'low', 'medium', 'high'] as const satisfies readonly Reasoning[]

const MICROUSD = 1_000_000

/** What a person settles for one chat: its name, model and limits, which tools ask first, and its end. */
export function ChatSettings({ chat }: { chat: ChatView }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button look="ghost" aria-label="Chat settings" icon={Settings2} onClick={() => setOpen(true)} />
      {open && (
        <Dialog onClose={close} title="Chat settings" about="Applies from the next turn. Can't give a role more rights.">
          <SettingsForm chat={chat} onDone={close} />
        </Dialog>
      )}
    </>
  )
}

function SettingsForm({ chat, onDone }: { chat: ChatView; onDone: () => void }) {
  const configure = usePerform('chat.configure')
  const [opened] = useState(chat)
  const [title, setTitle] = useState(chat.title)
  const [model, setModel] = useState(chat.config.model ?? '')
  const [reasoning, setReasoning] = useState(chat.config.reasoning)
  const [limits, setLimits] = useState(chat.config.limits)
  const [approvals, setApprovals] = useState(chat.config.approvals)
  function save() {
    const was = { title: opened.title, ...opened.config }
    const change = { ...changed(was, { title, model: model.trim() || null, reasoning, approvals }), limits: changed(was.limits, limits) }
    configure.mutate({ chat: chat.id, ...change }, { onSuccess: onDone })
  }
  return (
    <Form onSubmit={save} className="flex flex-col gap-4">
      <TextField label="Title" required value={title} onText={setTitle} />
      <TextField
        label="Model"
        placeholder="as the role says"
        value={model}
        spellCheck={false}
        onText={setModel}
        hint="provider/model; leave empty to use the role’s own"
      />
      <SelectField
        label="Reasoning"
        value={reasoning ?? ''}
        onText={(text) => setReasoning(efforts.find((effort) => effort === text) ?? null)}
        options={[{ value: '', label: 'as the role says' }, ...efforts.map((effort) => ({ value: effort, label: effort }))]}
        hint="how long the model thinks before it answers"
      />
      <LimitFields limits={limits} onChange={setLimits} />
      <ToolApprovals approvals={approvals} onChange={setApprovals} />
      <AllowedCommands chat={chat} />
      <Keeping chat={chat} />
      {configure.isError && <ErrorNote error={configure.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={configure.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        <span className="flex-1" />
        <DeleteChat id={chat.id} />
      </div>
    </Form>
  )
}

/** Only what was changed here: the rest may have been changed elsewhere while the form was open. */
function changed<Fields extends object>(was: Fields, now: Partial<Fields>): Partial<Fields> {
  const names = Object.keys(now) as (keyof Fields)[] // the keys of `now`, which are keys of both
  return Object.fromEntries(names.filter((name) => !Object.is(was[name], now[name])).map((name) => [name, now[name]])) as Partial<Fields> // the same fields, fewer
}

type Limits = ChatView['config']['limits']

function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Token limit for this chat"
        type="number"
        min={1}
        placeholder="no limit"
        value={limits.max_tokens ?? ''}
        onText={(text) => onChange({ ...limits, max_tokens: numberOrNull(text, 1) })}
      />
      <TextField
        label="Cost limit for this chat, in dollars"
        type="number"
        min={0}
        step="any"
        placeholder="no limit"
        value={limits.max_cost_microusd === null ? '' : limits.max_cost_microusd / MICROUSD}
        onText={(text) => onChange({ ...limits, max_cost_microusd: numberOrNull(text, MICROUSD) })}
      />
    </div>
  )
}

type Approvals = ChatView['config']['approvals']

/** Only tools that change something: reading never asks. */
function ToolApprovals({ approvals, onChange }: { approvals: Approvals; onChange: (approvals: Approvals) => void }) {
  const tools = useRead('role.list_tools', {}).data?.tools ?? []
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-xs font-semibold text-soft">Tools that change something</legend>
      {tools
        .filter(({ read_only }) => !read_only)
        .map(({ name }) => (
          <SelectField
            key={name}
            label={name}
            value={approvals[name] ?? ''}
            onText={(text) => onChange(withSetting(approvals, name, text))}
            options={settings}
          />
        ))}
    </fieldset>
  )
}

const settings = [
  { value: '', label: 'as configured' },
  { value: 'allow', label: 'allow' },
  { value: 'ask', label: 'ask me each time' },
  { value: 'deny', label: 'deny' },
]

function withSetting(approvals: Approvals, name: string, value: string): Approvals {
  const { [name]: _, ...others } = approvals
  return value === 'allow' || value === 'ask' || value === 'deny' ? { ...others, [name]: value } : others
}

/** Where the chat is kept, and a copy of it to share. */
function Keeping({ chat }: { chat: ChatView }) {
  const configure = usePerform('chat.configure')
  const write = usePerform('chat.export')
  const save = (format: 'markdown' | 'html') =>
    write.mutate(
      { chat: chat.id, format },
      { onSuccess: ({ title, text }) => download(`${title}.${format === 'html' ? 'html' : 'md'}`, text) },
    )
  return (
    <div className="flex flex-wrap gap-2">
      <Button small icon={Pin} onClick={() => configure.mutate({ chat: chat.id, pinned: !chat.pinned })}>
        {chat.pinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button small icon={Archive} onClick={() => configure.mutate({ chat: chat.id, archived: !chat.archived })}>
        {chat.archived ? 'Bring back' : 'Archive'}
      </Button>
      <Button small icon={Download} onClick={() => save('markdown')}>
        Download Markdown
      </Button>
      <Button small icon={Download} onClick={() => save('html')}>
        Download HTML
      </Button>
      {(configure.isError || write.isError) && <ErrorNote error={configure.error ?? write.error} />}
    </div>
  )
}

/** Two presses: one to ask, one to be sure. */
function DeleteChat({ id }: { id: string }) {
  const [, go] = useLocation()
  const remove = usePerform('chat.delete')
  const [sure, setSure] = useState(false)
  const press = () => (sure ? remove.mutate({ chat: id }, { onSuccess: () => go('/chat') }) : setSure(true))
  return (
    <span className="flex flex-col items-end gap-1">
      <Button look="danger" icon={Trash2} onClick={press} disabled={remove.isPending}>
        {sure ? 'Delete for good' : 'Delete chat'}
      </Button>
      {remove.isError && <span className="text-xs text-danger">{remove.error.message}</span>}
    </span>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name.replaceAll(/[/\\:*?"<>|]/g, ' ')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}

function numberOrNull(text: string, unit: number): number | null {
  return text === '' ? null : Math.round(Number(text) * unit)
}
