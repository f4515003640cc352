import { jsxDEV as element } from 'react/jsx-dev-runtime'
import { straight, type Props } from './jsx-runtime.ts'

export { Fragment } from 'react/jsx-dev-runtime'

/** The same as in `jsx-runtime.ts`, for `npm run dev`. */
export const jsxDEV: typeof element = (type, props, ...more) => element(type, straight(props as Props), ...more) // React itself calls them unknown
