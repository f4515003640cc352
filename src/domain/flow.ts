import { Problem, type NextStep } from './problem.ts'

/** One named transition: where it may start, where it ends, who may make it. */
export interface Move<State extends string, Actor extends string> {
  from: readonly State[]
  to: State
  by: readonly Actor[]
}

export interface Flow<State extends string, Name extends string, Actor extends string> {
  name: string
  states: readonly [State, ...State[]]
  initial: State
  moves: Readonly<Record<Name, Move<State, Actor>>>
  /** Which actor is a person, and the operation by which they make each of their moves. */
  person?: { is: NoInfer<Actor>; does: Readonly<Partial<Record<NoInfer<Name>, NextStep>>> }
}

/** Declares the life of a record; the table is the only place where a transition is written down. */
export function defineFlow<const State extends string, const Name extends string, const Actor extends string>(
  flow: Flow<State, Name, Actor>,
): Flow<State, Name, Actor> {
  return flow
}

/** The state a move leads to, or a refusal that says what would have been right. `record` names the record in what a person is advised to do instead. */
export function nextState<State extends string, Name extends string, Actor extends string>(
  flow: Flow<State, Name, Actor>,
  state: NoInfer<State>,
  move: NoInfer<Name>,
  actor: NoInfer<Actor>,
  record: Record<string, string> = {},
): State {
  const { from, to, by } = flow.moves[move]
  const allowed = movesFrom(flow, state, actor)
  const details = { flow: flow.name, state, move, actor, from, by, allowed }
  if (!from.includes(state)) {
    const isPerson = flow.person?.is === actor
    const next = isPerson ? stepsFor(flow, allowed, record) : []
    const instead = isPerson || allowed.length === 0 ? '' : `; ${actor} may ${allowed.join(', ')} it now`
    const verb = isPerson ? move.split('_')[0] : move
    throw new Problem('move_refused', `${flow.name} cannot ${verb} from ${state}; only from ${from.join(', ')}${instead}`, {
      details,
      next,
    })
  }
  if (!by.includes(actor)) {
    throw new Problem('forbidden', `${actor} may not ${move} a ${flow.name}; only ${by.join(', ')} may`, { details })
  }
  return to
}

/** What a person does to make these moves, each once: `job.approve` is one, whether a phase passes by it or the job. */
export function stepsFor<Name extends string>(
  { person }: Flow<string, Name, string>,
  moves: readonly NoInfer<Name>[],
  record: Record<string, string> = {},
): NextStep[] {
  const steps = moves.flatMap((move) => person?.does[move] ?? [])
  const distinct = new Map(steps.map((step) => [JSON.stringify(step), step])).values()
  return [...distinct].map((step) => ({ ...step, input: { ...record, ...step.input } }))
}

/** The moves an actor could make from a state; with no actor, all moves that leave it. */
export function movesFrom<State extends string, Name extends string, Actor extends string>(
  flow: Flow<State, Name, Actor>,
  state: NoInfer<State>,
  actor?: NoInfer<Actor>,
): Name[] {
  const names = Object.keys(flow.moves) as Name[] // keys of a Record<Name, …> are its names
  return names.filter((name) => {
    const { from, by } = flow.moves[name]
    return from.includes(state) && (actor === undefined || by.includes(actor))
  })
}

/** A state no move leaves. */
export function isFinal<State extends string>(flow: Flow<State, string, string>, state: NoInfer<State>): boolean {
  return movesFrom(flow, state).length === 0
}
