/** Every address of the API, shared with the browser at run time. What goes in and out of each stands in `contract.ts`. */
// oxfmt-ignore
export const routes = {
  freeAgent:        'POST /api/boards/:id/agents/:agent/free',
} as const satisfies Record<string, `${Method} /api/${string}`>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type RouteName = keyof typeof routes

/** The names between the slashes that start with a colon: `/api/jobs/:id` → `id`. */
type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

export type PathParams<Name extends RouteName> = Record<ParamNames<(typeof routes)[Name]>, string>
