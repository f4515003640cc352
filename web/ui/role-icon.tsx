import {
  Blocks,
  Bug,
  Clapperboard,
  ClipboardCheck,
  Code,
  Compass,
  Crown,
  Eye,
  FlaskConical,
  Gavel,
  Hammer,
  PenTool,
  Search,
  ShieldCheck,
  User,
  Zap,
  type LucideIcon,
} from 'lucide-react'

/** The icons a role file may name; any other name shows the plain figure. */
const icons: Record<string, LucideIcon> = {
  search: Search,
  'magnifying-glass': Search,
  zap: Zap,
  'lightning-bolt': Zap,
  crown: Crown,
  compass: Compass,
  'pen-tool': PenTool,
  blocks: Blocks,
  eye: Eye,
  'flask-conical': FlaskConical,
  code: Code,
  'clipboard-check': ClipboardCheck,
  hammer: Hammer,
  'shield-check': ShieldCheck,
  gavel: Gavel,
  bug: Bug,
  clapperboard: Clapperboard,
}

export function RoleIcon({ icon, size = 14 }: { icon: string; size?: number }) {
  const Icon = icons[icon] ?? User
  return <Icon size={size} aria-hidden />
}
