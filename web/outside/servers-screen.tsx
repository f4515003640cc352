import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { EmptyState, Loading } from '../ui/status/notice.tsx'
import { AddDialog } from './add-dialog.tsx'
import { ServerCard } from './server-card.tsx'

/** The MCP servers whose tools agents use: how each stands, what its tools may do, and who may call them. */
export default function ServersScreen() {
  const [adding, setAdding] = useState(false)
  const listed = useRead('mcp.list', {})
  if (listed.isPending) return <Loading />
  if (listed.isError) return <Missing error={listed.error} what="list of servers" back={{ href: '/roles', label: 'Roles' }} />
  const { servers, faults } = listed.data
  return (
    <Page
      title="MCP servers"
      about="Tools from outside. A local server runs in the sandbox of the role that uses it; a tool without a class needs every permission and asks each time."
      actions={
        <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
          Add server
        </Button>
      }
    >
      {faults.map((fault) => (
        <p key={fault} role="status" className="rounded-xl border border-warn/40 bg-warn-wash px-4 py-2.5 text-sm break-words text-warn">
          {fault}
        </p>
      ))}
      {servers.length === 0 && (
        <EmptyState title="No MCP server yet">Add a program or an address, and agents can use its tools within their role.</EmptyState>
      )}
      {servers.map((server) => (
        <ServerCard key={`${server.from} ${server.name}`} server={server} />
      ))}
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}
