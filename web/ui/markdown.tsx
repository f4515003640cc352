import { lazy, Suspense } from 'react'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))

/** Beyond this a text is no reading matter; laying out megabytes of it would freeze the page. */
const SHOWN_CHARS = 60_000

/** Markdown from a model or a person. The renderer is loaded on first use; until then the text itself stands there, so nothing jumps. */
export function Markdown({ text }: { text: string }) {
  const shown = text.slice(0, SHOWN_CHARS)
  return (
    <div className="prose">
      <Suspense fallback={<p className="whitespace-pre-wrap">{shown}</p>}>
        <Rendered text={shown} />
      </Suspense>
      {text.length > SHOWN_CHARS && (
        <p className="text-xs text-soft">
          {(text.length - SHOWN_CHARS).toLocaleString('en')} more characters are kept; <code>troupe chat show</code> prints them.
        </p>
      )}
    </div>
  )
}
