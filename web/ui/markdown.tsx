import { lazy, Suspense } from 'react'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))

/** Markdown from a model or a person. The renderer is loaded on first use; until then the text itself stands there, so nothing jumps. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  )
}
