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

/** The icons a role file may name; any other name shows the plain figure. */
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

/** The icon of a role. */
export function RoleIcon({ icon, size = 14 }: { icon: string; size?: number }) {
  const Icon = icons[icon] ?? User
  return <Icon size={size} aria-hidden />
}
