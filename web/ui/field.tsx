import { useId, type ComponentProps, type ReactNode } from 'react'

const box = 'w-full rounded-md border bg-surface px-3 py-2 text-sm text-ink'

interface Labelled {
  label: string
  hint?: ReactNode
  hideLabel?: boolean
  /** What is wrong with what stands in it. */
  fault?: string | undefined
  /** Told what stands in it now. */
  onText: (text: string) => void
}

/** A one-line input with its label and hint. */
export function TextField({ label, hint, hideLabel, fault, onText, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel} fault={fault}>
      <input id={id} className={boxFor(fault)} onChange={(event) => onText(event.target.value)} {...faultMarks(id, fault)} {...rest} />
    </LabelledField>
  )
}

/** A many-line input with its label and hint. */
export function TextArea({ label, hint, hideLabel, fault, onText, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel} fault={fault}>
      <textarea
        id={id}
        className={`${boxFor(fault)} ${(rest.rows ?? 3) > 2 ? 'min-h-20' : 'min-h-15'}`}
        onChange={(event) => onText(event.target.value)}
        {...faultMarks(id, fault)}
        {...rest}
      />
    </LabelledField>
  )
}

interface Choices {
  options: readonly { value: string; label: string }[]
}

/** A choice among a few words. */
export function SelectField({ label, hint, hideLabel, options, onText, ...rest }: Labelled & Choices & ComponentProps<'select'>) {
  const id = useId()
  return (
    <LabelledField id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <select id={id} className={`${boxFor(undefined)} h-9.5`} onChange={(event) => onText(event.target.value)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </LabelledField>
  )
}

/** A box to tick, with its label beside it. */
export function CheckField({ label, checked, onTick }: { label: string; checked: boolean; onTick: (ticked: boolean) => void }) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input type="checkbox" className="size-4 accent-accent" checked={checked} onChange={(event) => onTick(event.target.checked)} />
      {label}
    </label>
  )
}

interface LabelledFieldProps {
  id: string
  label: string
  hint: ReactNode
  hideLabel: boolean | undefined
  fault?: string | undefined
  children: ReactNode
}

function LabelledField({ id, label, hint, hideLabel, fault, children }: LabelledFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-xs font-medium text-soft'}>
        {label}
      </label>
      {children}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-xs text-danger">
          {fault}
        </p>
      )}
      {hint !== undefined && <div className="text-xs text-soft">{hint}</div>}
    </div>
  )
}

function boxFor(fault: string | undefined): string {
  return `${box} ${fault === undefined ? 'border-line' : 'border-danger'}`
}

/** What tells a screen reader that a field is refused, and why. */
function faultMarks(id: string, fault: string | undefined) {
  return fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }
}
