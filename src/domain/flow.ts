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
    const next = isPerson ? stepsFor(flow, movesTowards(flow, from, state, allowed), record) : []
    const instead = isPerson || allowed.length === 0 ? '' : `; ${actor} may ${allowed.join(', ')} it now`
    const verb = isPerson ? move.split('_')[0] : move
    const why = isFinal(flow, state) ? `it is ${state}, which is final` : `it is ${state} and must be ${listed(from)} first`
    throw new Problem('move_refused', `cannot ${verb} this ${flow.name}: ${why}${instead}`, { details, next })
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

/** Those of some moves after which a wanted state can be reached without coming back here: what to do first when a later move is refused. */
function movesTowards<State extends string, Name extends string>(
  flow: Flow<State, Name, string>,
  wanted: readonly State[],
  state: State,
  moves: readonly Name[],
): Name[] {
  const before = statesBefore(flow, wanted, state)
  return moves.filter((move) => before.has(flow.moves[move].to))
}

/** The states from which moves, whoever makes them, lead to a wanted state without passing through `avoided`; the wanted ones included. */
function statesBefore<State extends string>(flow: Flow<State, string, string>, wanted: readonly State[], avoided: State): Set<State> {
  const found = new Set(wanted)
  for (const reached of found) {
    for (const { from, to } of Object.values<Move<State, string>>(flow.moves)) {
      if (to === reached) for (const state of from) if (state !== avoided) found.add(state) // a Set is read to its end, also what is added meanwhile
    }
  }
  return found
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
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
