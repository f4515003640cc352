import { useId, type ComponentProps, type ReactNode } from 'react'

const box = 'w-full rounded-md border border-line bg-surface px-3 py-2 text-sm text-ink'

interface Labelled {
  label: string
  hint?: ReactNode
  hideLabel?: boolean
}

/** A one-line input with its label and hint. */
export function TextField({ label, hint, hideLabel, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <input id={id} className={box} {...rest} />
    </LabelledField>
  )
}

/** A many-line input with its label and hint. */
export function TextArea({ label, hint, hideLabel, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <textarea id={id} className={`${box} min-h-20`} {...rest} />
    </LabelledField>
  )
}

/** A choice among a few words. */
export function SelectField({
  label,
  hint,
  hideLabel,
  options,
  ...rest
}: Labelled & { options: readonly { value: string; label: string }[] } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <select id={id} className={box} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </LabelledField>
  )
}

interface LabelledFieldProps {
  id: string
  label: string
  hint: ReactNode
  hideLabel: boolean | undefined
  children: ReactNode
}

function LabelledField({ id, label, hint, hideLabel, children }: LabelledFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-xs font-medium text-soft'}>
        {label}
      </label>
      {children}
      {hint !== undefined && <div className="text-xs text-soft">{hint}</div>}
    </div>
  )
}
