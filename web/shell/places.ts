import { Bell, Hammer, LayoutGrid, MessageSquare, Plug, Users, Workflow, type LucideIcon } from 'lucide-react'

export interface Place {
  path: string
  label: string
  icon: LucideIcon
}

/** The areas of the page, as equals. */
export const areas: readonly Place[] = [
  { path: '/chat', label: 'Chat', icon: MessageSquare },
  { path: '/board', label: 'Board', icon: LayoutGrid },
  { path: '/jobs', label: 'Jobs', icon: Hammer },
  { path: '/workflows', label: 'Workflows', icon: Workflow },
  { path: '/roles', label: 'Roles', icon: Users },
]

export const needsYou: Place = { path: '/needs-you', label: 'Needs you', icon: Bell }

/** What agents use from outside; a link on the page of roles leads there. */
export const servers: Place = { path: '/mcp-servers', label: 'MCP servers', icon: Plug }

/** Everywhere a person can go. */
export const places: readonly Place[] = [...areas, needsYou, servers]
