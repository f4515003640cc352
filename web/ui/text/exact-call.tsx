import { CodeBlock } from './code-block.tsx'
import { DiffView } from '../diff.tsx'

/** What exactly would happen if leave is given: why it is asked, and the change as a diff or, where no file is changed, the arguments. */
export function ExactCall({ context }: { context: string }) {
  const [reason = '', ...exact] = context.split('\n\n')
  const shown = exact.join('\n\n')
  return (
    <>
      <p className="text-sm text-soft">{reason}</p>
      {/^@@ /m.test(shown) ? <DiffView patch={shown} /> : <CodeBlock label="What it would do" text={shown} />}
    </>
  )
}
