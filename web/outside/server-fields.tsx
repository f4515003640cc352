import { SelectField } from '../ui/form/field.tsx'

const classes = [
  { value: '', label: 'Ask me each time' },
  { value: 'read', label: 'Read only' },
  { value: 'change', label: 'Change files' },
  { value: 'anything', label: 'Anything its role may' },
]

/** What the tools of a server may do. */
export function ClassField({ value, onText }: { value: string; onText: (may: string) => void }) {
  return <SelectField label="Its tools may" hint="You can say it for each tool later." options={classes} value={value} onText={onText} />
}

/** The class as an operation takes it: left out where none was chosen. */
export function namedClass(may: string): { may?: 'read' | 'change' | 'anything' } {
  return may === 'read' || may === 'change' || may === 'anything' ? { may } : {}
}

/** Words between spaces; what is in quotes is one. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
