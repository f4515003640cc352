import { Save } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { OperationOutput } from '../../src/api/operations.ts'
import { counted } from '../../src/domain/text/format.ts'
import { usePerform, useRead, useRefinedRead } from '../api.ts'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { useShortcut } from '../ui/use-keys.ts'
import { EditorText, type EditorHandle } from './editor-text.tsx'
import { Faults, Preview, Warnings } from './preview.tsx'

/** Typing is not interrupted by a check at every letter. */
const PAUSE_MS = 250

/** The author's own file: the text on one side, on the other what is wrong with it or what it will look like. */
export function Editor({ name }: { name: string }) {
  const file = useRead('workflow.read_file', { name })
  if (file.isPending) return <Loading />
  if (file.isError) return <Missing error={file.error} what="workflow" back={{ href: '/workflows', label: 'All workflows' }} />
  return <Opened file={file.data} />
}

function Opened({ file }: { file: OperationOutput<'workflow.read_file'> }) {
  const [text, setText] = useState(file.text)
  const [saved, setSaved] = useState(file)
  const textBox = useRef<EditorHandle>(null)
  const save = usePerform('workflow.save_file')
  const checked = useCheck(file.name, text)
  const changed = text !== saved.text
  const { faults = [], warnings = [] } = checked.data ?? {}
  const goTo = (line: number) => textBox.current?.goTo(line)
  const playable = changed ? null : (checked.data?.workflow?.id ?? null)

  function store() {
    save.mutate({ name: file.name, text, version: saved.version }, { onSuccess: setSaved })
  }
  useShortcut('save_workflow', store)
  return (
    <Page
      wide
      title={file.name}
      standing={
        <p className="flex gap-3 text-xs">
          <BackLink href="/workflows">All workflows</BackLink>
          {playable !== null && (
            <Link href={`/workflows/show/${playable}`} className="text-accent hover:underline">
              Show and play
            </Link>
          )}
        </p>
      }
      actions={<Actions faults={faults.length} warnings={warnings.length} changed={changed} saving={save.isPending} onSave={store} />}
    >
      {save.isError && <ErrorNote error={save.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <EditorText ref={textBox} name={file.name} text={text} onText={setText} faultLines={faults.map(({ line }) => line)} />
        <div className="flex flex-col gap-4">
          {checked.isError && <ErrorNote error={checked.error} />}
          <Faults faults={faults} onLine={goTo} />
          <Warnings faults={warnings} onLine={goTo} />
          {checked.data && <Preview checked={checked.data} />}
        </div>
      </div>
    </Page>
  )
}

interface ActionsProps {
  faults: number
  warnings: number
  changed: boolean
  saving: boolean
  onSave: () => void
}

function Actions({ faults, warnings, changed, saving, onSave }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone={faults > 0 ? 'danger' : 'good'}>{faults > 0 ? counted(faults, 'problem') : 'valid'}</Badge>
      {warnings > 0 && <Badge tone="warn">{counted(warnings, 'warning')}</Badge>}
      {changed && <Badge tone="warn">not saved</Badge>}
      <Button look="primary" icon={Save} onClick={onSave} disabled={!changed || faults > 0 || saving} title="Ctrl S">
        Save
      </Button>
    </div>
  )
}

/** The check of the text as it is; the last one stays in sight until the next has come. */
function useCheck(name: string, text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useRefinedRead('workflow.check', { name, text: settled })
}
