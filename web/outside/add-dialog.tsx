import { useState } from 'react'
import { faultsByField, usePerform } from '../api.ts'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/field.tsx'
import { ClassField, namedClass, wordsIn } from './server-fields.tsx'

/** Adds a server to the settings of the user, after it was started once to see its tools. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const add = usePerform('mcp.add')
  const [name, setName] = useState('')
  const [where, setWhere] = useState('')
  const [may, setMay] = useState('')
  const [env, setEnv] = useState('')
  const [network, setNetwork] = useState('')
  const [mounts, setMounts] = useState('')
  const faults = faultsByField(add.error)
  const submit = () => {
    const hosts = wordsIn(network)
    const place = /^https?:\/\//.test(where) ? { url: where.trim() } : { command: wordsIn(where) }
    const input = { name: name.trim(), ...place, ...namedClass(may), env: wordsIn(env), mounts: wordsIn(mounts) }
    add.mutate({ ...input, ...(hosts.length > 0 && { network: hosts }) }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Add an MCP server"
      about="It is started once, reading only, to show its tools, and then added to your settings. One that cannot be started is not added."
      act="Add server"
      change={add}
      disabled={name.trim() === '' || where.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onText={setName} fault={faults['name']} />
      <TextField
        label="Command or address"
        hint="{workspace} becomes the folder the agent works in."
        placeholder="mcp-server-filesystem {workspace}"
        value={where}
        onText={setWhere}
      />
      <ClassField value={may} onText={setMay} />
      <TextField label="Variables it is given" hint="Their names, separated by spaces; it sees no others." value={env} onText={setEnv} />
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
