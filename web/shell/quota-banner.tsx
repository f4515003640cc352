import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import type { OperationOutput } from '../../src/api/operations.ts'
import { clockText, counted } from '../../src/domain/text/format.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

type Quota = OperationOutput<'quota.list'>['quotas'][number]

/** Says which limits of providers are reached, until when, and lets a person go on now or use another model. */
export function QuotaBanner() {
  const reached = useRead('quota.list', {}).data?.quotas ?? []
  return reached.map((quota) => <OneQuota key={quota.id} quota={quota} />)
}

function OneQuota({ quota }: { quota: Quota }) {
  const goOn = usePerform('quota.continue')
  const [choosing, setChoosing] = useState(false)
  const { id, message, instead, runs } = quota
  return (
    <aside
      aria-label={`Limit of ${id}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <Hourglass size={16} aria-hidden />
      <span className="min-w-0 flex-1" title={message}>
        <strong>The limit of {id} is reached.</strong> {untilText(quota)}
        {runs.length > 0 && `; ${counted(runs.length, 'run')} waiting`}
        {instead !== null && `; ${instead} answers meanwhile`}.
      </span>
      {goOn.error && <span role="alert">{goOn.error.message}</span>}
      <Button small disabled={goOn.isPending} onClick={() => goOn.mutate({ account: id })}>
        Try again now
      </Button>
      <Button small onClick={() => setChoosing(true)}>
        Use another model
      </Button>
      {choosing && <OtherModel account={id} onClose={() => setChoosing(false)} />}
    </aside>
  )
}

function untilText({ resets_at, guessed }: Quota): string {
  return guessed
    ? `It did not say until when; the next try is at ${clockText(resets_at)}`
    : `Work goes on by itself at ${clockText(resets_at)}`
}

function OtherModel({ account, onClose }: { account: string; onClose: () => void }) {
  const use = usePerform('quota.use')
  const [model, setModel] = useState('')
  return (
    <FormDialog
      title="Use another model"
      about={`It answers in place of ${account} until that limit ends.`}
      act="Use it"
      change={use}
      disabled={model.trim() === ''}
      onClose={onClose}
      onSubmit={() => use.mutate({ account, model: model.trim() }, { onSuccess: onClose })}
    >
      <TextField label="Model" hint="provider/name, or agent/NAME for an outside agent" value={model} onText={setModel} />
    </FormDialog>
  )
}
