import { useState } from 'react'
import { useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { callTarget } from '../../src/domain/call-target.ts'
import { PatchView } from '../ui/diff/diff-view.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import { diffOf } from './call-words.ts'
import type { ToolCall, ToolResult } from './folded-calls.ts'

interface DetailsProps {
  runId: string | undefined
  call: ToolCall | null
  result: ToolResult | null
  shortened: boolean
}

/** What a call changed and printed; its exact arguments and record behind "Details". */
export function CallDetails({ runId, call, result, shortened }: DetailsProps) {
  const [whole, setWhole] = useState(false)
  if (whole && runId !== undefined) return <WholeCall runId={runId} call={call} result={result} />
  const diff = diffOf(result?.details)
  const changed = diff !== null && result?.outcome !== 'waiting'
  return (
    <div className="mt-1 ml-6 flex flex-col gap-2">
      {changed && <PatchView path={callTarget(call?.input) || (call?.tool ?? 'The change')} patch={diff} />}
      {result !== null && result.output !== '' && !changed && <CodeBlock label="Answer" text={result.output} />}
      {shortened && runId !== undefined && (
        <Button small className="self-start" onClick={() => setWhole(true)}>
          Show all of it
        </Button>
      )}
      <details className="text-xs text-soft">
        <summary className="w-fit cursor-pointer">Details</summary>
        <div className="mt-1 flex flex-col gap-2">
          {call !== null && <CodeBlock label={`Arguments of ${call.tool}`} text={JSON.stringify(call.input, null, 2)} />}
          {changed && result !== null && <CodeBlock label="Answer" text={result.output} />}
          {result !== null && <CodeBlock label="Record" text={JSON.stringify(result.details, null, 2)} />}
        </div>
      </details>
    </div>
  )
}

/** The same call with nothing left out, asked for by itself. */
function WholeCall({ runId, call, result }: Omit<DetailsProps, 'shortened'> & { runId: string }) {
  const wholeCall = useWhole(runId, call)
  const wholeResult = useWhole(runId, result)
  if (wholeCall.isError) return <ErrorNote error={wholeCall.error} />
  return <CallDetails runId={runId} call={wholeCall.message ?? call} result={wholeResult.message ?? result} shortened={false} />
}

function useWhole<Message extends ToolCall | ToolResult>(runId: string, message: Message | null) {
  const { data, isError, error } = useRead('run.trace', { run: runId, after: (message?.number ?? 0) - 1, limit: 1, whole: true })
  const found = data?.messages.find(({ id }) => id === message?.id)
  return { isError, error, message: found as Message | undefined } // the same message by its id
}
