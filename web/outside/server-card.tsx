import { useState } from 'react'
import type { OperationOutput } from '../../src/api/operations.ts'
import { usePerform } from '../api.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { SelectField } from '../ui/form/field.tsx'
import { Card } from '../ui/layout/card.tsx'
import { StateBadge, type StateLook } from '../ui/status/badge.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TrustDialog } from './trust-dialog.tsx'

export type ServerView = OperationOutput<'mcp.list'>['servers'][number]
type ToolView = ServerView['tools'][number]

const looks: Readonly<Record<ServerView['state'], StateLook>> = {
  ready: { label: 'Ready', tone: 'good', hint: 'You have reviewed its tools; it starts when one is first used' },
  unreviewed: { label: 'Not reviewed', tone: 'warn', hint: 'Its tools are not used before you have reviewed them' },
  changed: { label: 'Changed', tone: 'warn', hint: 'Tools that are new or changed are not used before you have reviewed them' },
  untrusted: { label: 'Not trusted', tone: 'warn', hint: 'It comes with the project and is not started before you trust it' },
  off: { label: 'Off', tone: 'neutral', hint: 'Turned off in your settings' },
}

/** One server: where it is, what it sees, and each of its tools. */
export function ServerCard({ server }: { server: ServerView }) {
  const [open, setOpen] = useState<'review' | 'trust' | null>(null)
  const remove = usePerform('mcp.remove')
  const { name, state, from, where, network, sees, local, tools, unreviewed } = server
  const isKnown = state !== 'untrusted'
  return (
    <Card title={name} aside={<StateBadge look={looks[state]} />}>
      <div className="flex flex-col gap-3">
        <code className="font-mono text-xs break-all">{where}</code>
        <p className="text-sm text-soft">
          {from === 'project' ? 'From this project. ' : ''}
          {local ? `Runs in the sandbox; network: ${[network].flat().join(', ')}.` : 'Elsewhere: no sandbox holds it.'}
          {sees.length > 0 && ` Sees ${sees.join(', ')}.`}
          {unreviewed.length > 0 && ` New or changed: ${unreviewed.join(', ')}.`}
        </p>
        <div className="flex flex-wrap gap-2">
          {isKnown && (
            <Button small onClick={() => setOpen('review')}>
              Review tools
            </Button>
          )}
          {!isKnown && (
            <Button small look="primary" onClick={() => setOpen('trust')}>
              Trust…
            </Button>
          )}
          {isKnown && (
            <Button small look="danger" disabled={remove.isPending} onClick={() => remove.mutate({ name })}>
              Remove
            </Button>
          )}
        </div>
        {remove.error !== null && <ErrorNote error={remove.error} />}
        {tools.length > 0 && <Tools server={name} tools={tools} />}
      </div>
      {open === 'review' && <ReviewDialog name={name} onClose={() => setOpen(null)} />}
      {open === 'trust' && <TrustDialog server={server} onClose={() => setOpen(null)} />}
    </Card>
  )
}

const classes = [
  { value: 'unset', label: 'By default' },
  { value: 'read', label: 'Read only' },
  { value: 'change', label: 'Change files' },
  { value: 'anything', label: 'Anything' },
  { value: 'off', label: 'Off' },
]

function Tools({ server, tools }: { server: string; tools: readonly ToolView[] }) {
  const classing = usePerform('mcp.class')
  return (
    <>
      {classing.error !== null && <ErrorNote error={classing.error} />}
      <ul className="flex flex-col divide-y divide-line">
        {tools.map((tool) => (
          <li key={tool.name} className="flex flex-wrap items-start justify-between gap-3 py-2.5">
            <div className="min-w-0 flex-1 basis-72">
              <p className="font-mono text-sm break-all">{tool.name}</p>
              <p className="line-clamp-2 text-xs text-soft">{tool.description}</p>
              <p className="mt-1 text-xs text-soft">{heldTo(tool)}</p>
              <span className="mt-1 flex flex-wrap gap-1">
                {tool.roles.map((role) => (
                  <RoleBadge key={role} id={role} linked />
                ))}
              </span>
            </div>
            {tool.why_refused === null && (
              <div className="w-36">
                <SelectField
                  label={`What ${tool.name} may do`}
                  hideLabel
                  options={classes}
                  value={tool.set ?? 'unset'}
                  disabled={classing.isPending}
                  onText={(may) => classing.mutate({ name: server, tool: tool.name, may: may as ToolChoice })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const held = { read: 'Reads only', change: 'May change files', anything: 'May do anything its role may' } as const

/** What a tool is held to, in words. */
function heldTo({ class: held_to, asks, why_refused }: ToolView): string {
  if (why_refused !== null) return `Not used: ${why_refused}`
  if (held_to === null) return 'Off'
  return asks === null ? held[held_to] : `${held[held_to]}; you are asked each time: ${asks}`
}

/** A value of the list above. */
type ToolChoice = 'read' | 'change' | 'anything' | 'off' | 'unset'
