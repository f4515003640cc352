import { CodeBlock } from './code-block.tsx'
import { PatchView } from '../diff/diff-view.tsx'

/** What exactly would happen if leave is given: why it is asked, and the change as a diff or, where no file is changed, the arguments. */
export function ExactCall({ context }: { context: string }) {
  const [reason = '', ...exact] = context.split('\n\n')
  const shown = exact.join('\n\n')
  const path = /^\+\+\+ (?!\/dev\/null)([^\t\n]+)/m.exec(shown)?.[1] ?? /^--- ([^\t\n]+)/m.exec(shown)?.[1] ?? 'The change'
  return (
    <>
      <p className="text-sm text-soft">{reason}</p>
      {/^@@ /m.test(shown) ? <PatchView path={path} patch={shown} /> : <CodeBlock label="What it would do" text={shown} />}
    </>
  )
}
