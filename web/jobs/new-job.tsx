import { Hammer } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { splitList } from '../../src/domain/text/typed.ts'
import { faultsByField, usePerform, useRead } from '../api.ts'
import { RoleSelect } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { TextArea, TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'

const empty = {
  id: '',
  objective: '',
  details: '',
  acceptance: '',
  phase: '',
  check: '',
  worker_role: 'worker',
  supervisor_role: 'supervisor',
  max_cost_usd: '',
}
/** The folder is that of the server until another is typed. */
type Typed = typeof empty & { source?: string }

/** Where a job is made: what is wanted, how it is judged, who does it. */
export function NewJob() {
  return (
    <Page
      title="New job"
      about="Describe the work and how to judge it. A Worker and a Supervisor take turns on a separate branch, never in your checkout."
    >
      <JobForm />
    </Page>
  )
}

function JobForm() {
  const [, go] = useLocation()
  const status = useRead('system.status', {})
  const create = usePerform('job.create')
  const [form, setForm] = useState<Typed>(empty)
  const faults = faultsByField(create.error)
  const field = (name: keyof Typed) => ({
    value: form[name],
    fault: faults[name],
    onText: (text: string) => setForm({ ...form, [name]: text }),
  })
  const source = form.source ?? status.data?.workspace ?? ''
  const submit = () => {
    create.mutate({ ...fieldsOf(form), source, activate: true }, { onSuccess: ({ id }) => go(`/jobs/${id}`) })
  }
  return (
    <Form aria-label="New job" onSubmit={submit}>
      <TextArea label="What is the objective?" autoFocus required {...field('objective')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" hint="Letters, digits, - and _; the branch will be job-NAME" required spellCheck={false} {...field('id')} />
        <TextField label="Repository" required spellCheck={false} {...field('source')} value={source} />
        <TextArea label="Details" rows={2} {...field('details')} />
        <TextArea label="Acceptance criteria" rows={2} hint="One per line; the Supervisor judges by these" {...field('acceptance')} />
        <TextArea label="Phases" rows={2} hint="One per line: name, or name: description" {...field('phase')} />
        <TextArea
          label="Checks"
          rows={2}
          hint="One per line: name=command; their exit codes are shown next to the claims"
          {...field('check')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <RoleSelect label="Worker" {...field('worker_role')} />
        <RoleSelect label="Supervisor" {...field('supervisor_role')} />
        <TextField label="Cost limit in dollars" inputMode="decimal" pattern="\d+(\.\d+)?" {...field('max_cost_usd')} />
      </div>
      {create.isError && !Object.keys(faults).some((name) => name in form) && <ErrorNote error={create.error} />}
      <Button className="self-start" look="primary" type="submit" disabled={create.isPending} icon={Hammer}>
        Create and start
      </Button>
    </Form>
  )
}

function fieldsOf({ acceptance, phase, check, max_cost_usd, ...same }: Typed) {
  return {
    ...same,
    acceptance: splitList(acceptance),
    phase: splitList(phase),
    check: splitList(check),
    ...(max_cost_usd !== '' && { max_cost_usd: Number(max_cost_usd) }),
  }
}
