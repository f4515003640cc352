import {
  ClipboardCheck,
  CodeXml,
  Compass,
  Eye,
  FlaskConical,
  Gavel,
  GitPullRequest,
  Glasses,
  Hammer,
  Network,
  PencilRuler,
  Search,
  ShieldCheck,
  User,
  Zap,
  type LucideIcon,
} from 'lucide-react'

/** The icons a role file may name. */
const icons: Record<string, LucideIcon> = {
  'clipboard-check': ClipboardCheck,
  'code-xml': CodeXml,
  compass: Compass,
  eye: Eye,
  'flask-conical': FlaskConical,
  gavel: Gavel,
  'git-pull-request': GitPullRequest,
  glasses: Glasses,
  hammer: Hammer,
  network: Network,
  'pencil-ruler': PencilRuler,
  search: Search,
  'shield-check': ShieldCheck,
  zap: Zap,
}

/** The icon that a role file names; the plain figure for a role that is not loaded. */
export function iconOf(role: { icon: string } | undefined): LucideIcon {
  return icons[role?.icon ?? ''] ?? User
}

/** The icon of a role in a line of text. */
export function RoleIcon({ role, size = 14 }: { role: { icon: string } | undefined; size?: number }) {
  const Icon = iconOf(role)
  return <Icon size={size} aria-hidden />
}
