import { lazy, Suspense, type ComponentType } from 'react'
import { showTextDirection } from '../../../src/domain/text/hidden-character.ts'

/** A server that is away gives no renderer; the text itself is there. */
const Rendered = lazy<ComponentType<{ text: string }>>(() => import('./markdown-rendered.tsx').catch(() => ({ default: Plain })))

/** Beyond this a text is no reading matter; laying out megabytes of it would freeze the page. */
const SHOWN_CHARS = 60_000

/** Markdown from a model or a person. The renderer is loaded on first use; until then the text itself is there, so nothing jumps. */
export function Markdown({ text }: { text: string }) {
  const shown = showTextDirection(text.slice(0, SHOWN_CHARS))
  return (
    <div className="prose">
      <Suspense fallback={<Plain text={shown} />}>
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

function Plain({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>
}
