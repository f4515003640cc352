import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { useChange, useRoute } from '../api.ts'
import { useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { ErrorNote } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { listOf } from '../ui/typed.ts'

const empty = {
  id: '',
  source: '',
  objective: '',
  details: '',
  acceptance: '',
  phases: '',
  checks: '',
  worker: 'worker',
  supervisor: 'supervisor',
  cost: '',
}
type Form = typeof empty

/** The form a job is made with: what is wanted, how it is judged, who does it. */
export function NewJob() {
  const [, go] = useLocation()
  const status = useRoute('status', {})
  const roles = [...useRoles().values()].map((role) => ({ value: role.id, label: role.name }))
  const create = useChange('createJob')
  const [form, setForm] = useState(empty)
  const field = (name: keyof Form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { id: form.id, source: form.source || (status.data?.workspace ?? ''), activate: true, settings: settingsOf(form) }
    create.mutate({ body }, { onSuccess: ({ job }) => go(`/jobs/${job.id}`) })
  }
  return (
    <Page title="New job" about="It works on a branch of its own; your checkout is not touched.">
      <form onSubmit={submit} className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
        <TextField label="Name" hint="Letters, digits, - and _; the branch will be job-NAME" required {...field('id')} />
        <TextField label="Repository" placeholder={status.data?.workspace ?? ''} {...field('source')} />
        <TextArea label="Objective" required {...field('objective')} />
        <TextArea label="Details" {...field('details')} />
        <TextArea label="Acceptance criteria" hint="One a line; the Supervisor judges by them" {...field('acceptance')} />
        <TextArea label="Phases" hint="One a line: name, or name: description" {...field('phases')} />
        <TextArea label="Checks" hint="One a line: name=command; their real exit codes stand beside the claims" {...field('checks')} />
        <div className="grid gap-3 sm:grid-cols-3">
          <SelectField label="Worker" options={roles} {...field('worker')} />
          <SelectField label="Supervisor" options={roles} {...field('supervisor')} />
          <TextField label="Cost limit in dollars" inputMode="decimal" pattern="\d+(\.\d+)?" {...field('cost')} />
        </div>
        {create.isError && <ErrorNote error={create.error} />}
        <div>
          <Button look="primary" type="submit" disabled={create.isPending}>
            Make and activate
          </Button>
        </div>
      </form>
    </Page>
  )
}

function settingsOf(form: Form): Record<string, unknown> {
  return {
    objective: form.objective,
    details: form.details,
    acceptance_criteria: listOf(form.acceptance),
    phases: listOf(form.phases).map((line) => pairOf(line, ':', 'name', 'description')),
    checks: listOf(form.checks).map((line) => pairOf(line, '=', 'name', 'command')),
    roles: { worker: { role: form.worker }, supervisor: { role: form.supervisor } },
    ...(form.cost !== '' && { limits: { max_cost_microusd: Math.round(Number(form.cost) * 1_000_000) } }),
  }
}

function pairOf(line: string, sign: string, first: string, second: string): Record<string, string> {
  const at = line.indexOf(sign)
  return at === -1 ? { [first]: line } : { [first]: line.slice(0, at).trim(), [second]: line.slice(at + 1).trim() }
}
