import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-raised',
  ghost: 'bg-transparent text-soft border-transparent hover:bg-raised hover:text-ink',
  danger: 'bg-danger-wash text-danger border-danger/40 hover:border-danger',
  role: 'bg-role text-surface border-transparent hover:bg-role-hover',
} as const

interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  small?: boolean
  icon?: LucideIcon
}

/** Every button of the page; a button with only an icon needs an `aria-label`. */
export function Button({ look = 'plain', small = false, icon: Icon, className = '', children, ...rest }: ButtonProps) {
  const size = small ? 'h-7 px-2 text-xs gap-1' : 'h-9 px-3 text-sm gap-1.5'
  return (
    <button
      type="button"
      className={`inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${size} ${looks[look]} ${className}`}
      {...rest}
    >
      {Icon !== undefined && <Icon size={small ? 14 : 16} aria-hidden />}
      {children}
    </button>
  )
}
