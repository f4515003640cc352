import { Bell, Hammer, LayoutGrid, MessageSquare, Plug, Users, Workflow, type LucideIcon } from 'lucide-react'

export interface Place {
  path: string
  label: string
  /** Pressed after `GO_KEY` it leads here. */
  letter?: string
  icon: LucideIcon
}

/** Begins the keys that go to a place. */
export const GO_KEY = 'g'

/** The areas of the page, as equals. */
export const areas: readonly Place[] = [
  { path: '/chat', label: 'Chat', letter: 'c', icon: MessageSquare },
  { path: '/board', label: 'Board', letter: 'b', icon: LayoutGrid },
  { path: '/jobs', label: 'Jobs', letter: 'j', icon: Hammer },
  { path: '/workflows', label: 'Workflows', letter: 'w', icon: Workflow },
  { path: '/roles', label: 'Roles', letter: 'r', icon: Users },
]

export const needsYou: Place = { path: '/needs-you', label: 'Needs you', letter: 'n', icon: Bell }

/** What agents use from outside; a link on the page of roles leads there. */
export const servers: Place = { path: '/mcp-servers', label: 'MCP servers', icon: Plug }

/** Everywhere a person can go. */
export const places: readonly Place[] = [...areas, needsYou, servers]
