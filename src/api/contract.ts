import type * as z from 'zod'
import { boardContract } from './contract/board.ts'
import type { PathParams, RouteName } from './routes.ts'

/** What one route takes and gives. */
export interface RouteShape {
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  reply: z.ZodType
}

/** The contract: one entry for each route, no more, no less. The browser imports its types only. */
export const contract = {
  ...boardContract,
} satisfies Record<RouteName, RouteShape>

type Contract = typeof contract
type Sent<Shape, Part extends 'query' | 'body', Way extends 'input' | 'output'> =
  Shape extends Record<Part, infer Schema extends z.ZodType> ? (Way extends 'input' ? z.input<Schema> : z.output<Schema>) : undefined

interface Parts<Name extends RouteName, Way extends 'input' | 'output'> {
  params: PathParams<Name>
  query: Sent<Contract[Name], 'query', Way>
  body: Sent<Contract[Name], 'body', Way>
}

/** What a caller sends: defaults may be left out. */
export type RouteRequest<Name extends RouteName> = Parts<Name, 'input'>

/** What a handler receives: parsed, defaults filled in. */
export type RouteInput<Name extends RouteName> = Parts<Name, 'output'>

export type RouteReply<Name extends RouteName> = z.output<Contract[Name]['reply']>
