import { useState } from 'react'
import { usePerform } from '../api.ts'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/field.tsx'
import { ClassField, namedClass, wordsIn } from './server-fields.tsx'
import type { ServerView } from './server-card.tsx'

/** Trusts exactly the entry that is shown. */
export function TrustDialog({ server: { name, where, sees, entry }, onClose }: { server: ServerView; onClose: () => void }) {
  const trust = usePerform('mcp.trust')
  const [may, setMay] = useState('')
  const [network, setNetwork] = useState('')
  const [mounts, setMounts] = useState('')
  const submit = () => {
    const hosts = wordsIn(network)
    const input = { name, ...(entry !== null && { entry }), ...namedClass(may), mounts: wordsIn(mounts) }
    trust.mutate({ ...input, ...(hosts.length > 0 && { network: hosts }) }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Trust ${name}?`}
      about="Anyone who can write to the project could have written this. It is started once, reading only, to show its tools. When the entry changes, you are asked again."
      act="Trust this server"
      change={trust}
      onSubmit={submit}
      onClose={onClose}
    >
      <code className="font-mono text-xs break-all">{where}</code>
      {sees.length > 0 && <p className="text-sm">It is given {sees.join(', ')}.</p>}
      <ClassField value={may} onText={setMay} />
      <TextField label="Domains it may reach" hint="Separated by spaces; nobody when empty." value={network} onText={setNetwork} />
      <TextField
        label="Folders it may read"
        hint="Outside the workspace, such as the one it is installed in."
        value={mounts}
        onText={setMounts}
      />
    </FormDialog>
  )
}
