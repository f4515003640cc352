import { Check, ChevronsUpDown, FolderGit2 } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../api.ts'
import { Menu } from '../ui/overlay/menu.tsx'
import { projectName, useProject } from './use-project.ts'

/** Which project the lists show and a new chat starts in: one that was worked in, or all of them. */
export function ProjectSwitcher() {
  const [open, setOpen] = useState(false)
  const [chosen, choose] = useProject()
  const projects = useRead('system.list_projects', {}).data?.projects ?? []
  const name = chosen === null ? 'All projects' : projectName(chosen)
  const items = [null, ...projects.map(({ workspace }) => workspace)].map((workspace) => ({
    key: workspace ?? '',
    chosen: workspace === chosen,
    onSelect: () => choose(workspace),
    label: <ProjectLine workspace={workspace} chosen={workspace === chosen} />,
  }))
  return (
    <Menu
      open={open}
      onOpenChange={setOpen}
      label={`Project: ${name}. Switch project`}
      about={chosen ?? 'Lists show every project'}
      items={items}
      trigger={
        <button type="button" className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-line/60">
          <FolderGit2 size={16} className="shrink-0 text-soft" aria-hidden />
          <span className="min-w-0 flex-1 truncate font-medium rail:sr-only">{name}</span>
          <ChevronsUpDown size={14} className="shrink-0 text-soft rail:hidden" aria-hidden />
        </button>
      }
    />
  )
}

function ProjectLine({ workspace, chosen }: { workspace: string | null; chosen: boolean }) {
  return (
    <span className="flex w-64 max-w-full min-w-0 items-center gap-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{workspace === null ? 'All projects' : projectName(workspace)}</span>
        {workspace !== null && <span className="block truncate font-mono text-xs text-soft">{workspace}</span>}
      </span>
      {chosen && <Check size={14} className="shrink-0" aria-hidden />}
    </span>
  )
}
