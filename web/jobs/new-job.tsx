import { Hammer } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { splitList } from '../../src/domain/text/typed.ts'
import { faultsByField, useChange, useRoute } from '../api.ts'
import { RoleSelect } from '../roles/role-badge.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ErrorNote } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

const empty = {
  id: '',
  objective: '',
  details: '',
  acceptance: '',
  phases: '',
  checks: '',
  worker: 'worker',
  supervisor: 'supervisor',
  cost: '',
}
/** The folder is that of the server until another is typed. */
type Typed = typeof empty & { source?: string }

/** Where a job is made: what is wanted, how it is judged, who does it. */
export function NewJob() {
  return (
    <Page
      title="New job"
      about="Say what is wanted and how it is judged. A Worker does it and a Supervisor judges it, in turns; on a branch of its own, never in your checkout."
    >
      <JobForm />
    </Page>
  )
}

function JobForm() {
  const [, go] = useLocation()
  const status = useRoute('status', {})
  const create = useChange('createJob')
  const [form, setForm] = useState<Typed>(empty)
  const faults = faultsByField(create.error)
  const field = (name: keyof Typed) => ({
    value: form[name],
    fault: faults[name],
    onText: (text: string) => setForm({ ...form, [name]: text }),
  })
  const source = form.source ?? status.data?.workspace ?? ''
  const submit = () => {
    const body = { id: form.id, source, activate: true, settings: settingsOf(form) }
    create.mutate({ body }, { onSuccess: ({ job }) => go(`/jobs/${job.id}`) })
  }
  return (
    <Form aria-label="New job" onSubmit={submit}>
      <TextArea label="What is the objective?" autoFocus required {...field('objective')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" hint="Letters, digits, - and _; the branch will be job-NAME" required spellCheck={false} {...field('id')} />
        <TextField label="Repository" required spellCheck={false} {...field('source')} value={source} />
        <TextArea label="Details" rows={2} {...field('details')} />
        <TextArea label="Acceptance criteria" rows={2} hint="One a line; the Supervisor judges by them" {...field('acceptance')} />
        <TextArea label="Phases" rows={2} hint="One a line: name, or name: description" {...field('phases')} />
        <TextArea
          label="Checks"
          rows={2}
          hint="One a line: name=command; their real exit codes stand beside the claims"
          {...field('checks')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <RoleSelect label="Worker" {...field('worker')} />
        <RoleSelect label="Supervisor" {...field('supervisor')} />
        <TextField label="Cost limit in dollars" inputMode="decimal" pattern="\d+(\.\d+)?" {...field('cost')} />
      </div>
      {create.isError && !Object.keys(faults).some((name) => name in form) && <ErrorNote error={create.error} />}
      <Button className="self-start" look="primary" type="submit" disabled={create.isPending} icon={Hammer}>
        Make and activate
      </Button>
    </Form>
  )
}

function settingsOf(form: Typed): Record<string, unknown> {
  return {
    objective: form.objective,
    details: form.details,
    acceptance_criteria: splitList(form.acceptance),
    phases: splitList(form.phases).map((line) => pairOf(line, ':', 'name', 'description')),
    checks: splitList(form.checks).map((line) => pairOf(line, '=', 'name', 'command')),
    roles: { worker: { role: form.worker }, supervisor: { role: form.supervisor } },
    ...(form.cost !== '' && { limits: { max_cost_microusd: Math.round(Number(form.cost) * 1_000_000) } }),
  }
}

function pairOf(line: string, sign: string, first: string, second: string): Record<string, string> {
  const at = line.indexOf(sign)
  return at === -1 ? { [first]: line } : { [first]: line.slice(0, at).trim(), [second]: line.slice(at + 1).trim() }
}
