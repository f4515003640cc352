import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { RoleView } from './role-view.ts'
import { useRead } from '../api.ts'
import { Badge } from '../ui/status/badge.tsx'
import { Card } from '../ui/layout/card.tsx'
import { SelectField, TextField } from '../ui/form/field.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { RoleNote } from './role-badge.tsx'

/** "Would this call be allowed, and why?" Role, tool and arguments are in the address, so that an answer can be shown to someone else. */
export function Explain({ roles, named }: { roles: readonly RoleView[]; named: string | undefined }) {
  const [, go] = useLocation()
  const [search, setSearch] = useSearchParams()
  const [input, setInput] = useState(search.get('input') ?? '{"path": "src/main.ts"}')
  const tool = search.get('tool') ?? 'update_file'
  const role = roles.find(({ id }) => id === (named ?? 'planner')) ?? roles[0]
  const tools = useRead('role.list_tools', {}).data?.tools ?? []
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (named !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [named])
  if (role === undefined) return null
  const ask = (change: { tool?: string }) => setSearch({ tool, input, ...change }, { replace: true })
  return (
    <div ref={place}>
      <Card title="Would this call be allowed?">
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            <SelectField
              label="Role"
              value={role.id}
              onText={(text) => go(`/roles/${text}?${search}`)}
              options={roles.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <SelectField
              label="Tool"
              value={tool}
              onText={(text) => ask({ tool: text })}
              options={tools.map(({ name }) => ({ value: name, label: name }))}
            />
            <TextField label="Arguments (JSON)" value={input} spellCheck={false} onText={setInput} onBlur={() => ask({})} />
          </div>
          <RoleNote role={role} />
          <Answer role={role.id} tool={tool} input={input} />
        </div>
      </Card>
    </div>
  )
}

const verdicts = {
  allow: { label: 'allowed', tone: 'good' },
  ask: { label: 'allowed once you agree', tone: 'warn' },
  deny: { label: 'denied', tone: 'danger' },
} as const

function Answer({ role, tool, input }: { role: string; tool: string; input: string }) {
  const answer = useRead('role.explain', { role, tool, arguments: input === undefined ? [] : [input] })
  return (
    <div aria-live="polite" className="min-h-12">
      {answer.isError && <ErrorNote error={answer.error} />}
      {answer.data && (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={verdicts[answer.data.verdict].tone}>{verdicts[answer.data.verdict].label}</Badge>
          <span>{answer.data.reason}</span>
          <span className="text-xs text-soft">rule: {answer.data.rule}</span>
        </p>
      )}
    </div>
  )
}
