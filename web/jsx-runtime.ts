import { jsx as element, jsxs as elements } from 'react/jsx-runtime'
import { showTextDirection } from '../src/domain/text/hidden-character.ts'

export { Fragment } from 'react/jsx-runtime'

export type Props = Readonly<Record<string, unknown>>

/** What is read or spoken of an element. Not the value of a field: that is a person's to change, and is sent as it is. */
const told = ['children', 'title', 'aria-label', 'alt', 'placeholder']

/**
 * What the build makes of each element of the page, in the place of React's own. All text passes here, whoever wrote it, so that no
 * screen has to think of the marks that turn it: they are seen, and turn nothing.
 */
export const jsx: typeof element = (type, props, key) => element(type, straight(props as Props), key) // React itself calls them unknown
export const jsxs: typeof elements = (type, props, key) => elements(type, straight(props as Props), key) // as above

/** The props of an element, with every mark in them made visible. */
export function straight(props: Props): Props {
  const changed = told.flatMap((name) => {
    const text = straightened(props[name])
    return text === props[name] ? [] : [[name, text] as const]
  })
  return changed.length === 0 ? props : { ...props, ...Object.fromEntries(changed) }
}

/** The same value where there is nothing to change in it: a new one would be drawn again. */
function straightened(value: unknown): unknown {
  if (typeof value === 'string') return showTextDirection(value)
  if (!Array.isArray(value)) return value
  const parts = value.map(straightened)
  return parts.every((part, at) => part === value[at]) ? value : parts
}
