import { useId, type ComponentProps, type ReactNode } from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
  hideLabel?: boolean | undefined
  /** What is wrong with what is in it. */
  fault?: string | undefined
  /** Told what is in it now. */
  onText: (text: string) => void
}

/** A one-line input with its label and hint. */
export function TextField({ label, hint, hideLabel, fault, onText, ...rest }: Labelled & ComponentProps<'input'>) {
  const labelled = { label, hint, hideLabel, fault, onText }
  return <LabelledBox {...labelled}>{(box) => <input {...box} {...rest} />}</LabelledBox>
}

/** A many-line input with its label and hint. */
export function TextArea({ label, hint, hideLabel, fault, onText, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const labelled = { label, hint, hideLabel, fault, onText }
  const height = (rest.rows ?? 3) > 2 ? 'min-h-20' : 'min-h-15'
  return <LabelledBox {...labelled}>{(box) => <textarea {...box} className={`${box.className} ${height}`} {...rest} />}</LabelledBox>
}

interface Choices {
  options: readonly { value: string; label: string }[]
}

/** A choice among a few words. */
export function SelectField({ label, hint, hideLabel, fault, onText, options, ...rest }: Labelled & Choices & ComponentProps<'select'>) {
  const labelled = { label, hint, hideLabel, fault, onText }
  return (
    <LabelledBox {...labelled}>
      {(box) => (
        <select {...box} className={`${box.className} h-9.5`} {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </LabelledBox>
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

/** What a box needs to belong to its label, and to tell a screen reader that it is refused, and why. */
type Box = Pick<ComponentProps<'input'>, 'id' | 'className' | 'aria-invalid' | 'aria-describedby'> & {
  onChange: (event: { target: { value: string } }) => void
}

function LabelledBox({ label, hint, hideLabel, fault, onText, children }: Labelled & { children: (box: Box) => ReactNode }) {
  const id = useId()
  const border = fault === undefined ? 'border-line' : 'border-danger'
  const className = `w-full rounded-md border bg-surface px-3 py-2 text-sm text-ink ${border}`
  const refused = fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-xs font-medium text-soft'}>
        {label}
      </label>
      {children({ id, className, onChange: (event) => onText(event.target.value), ...refused })}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-xs text-danger">
          {fault}
        </p>
      )}
      {hint !== undefined && <div className="text-xs text-soft">{hint}</div>}
    </div>
  )
}
