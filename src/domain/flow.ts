import { Problem } from './problem.ts'

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
  /** Which actor is a person, and the command they give; behind it stands the first word of a move, or what `words` has in its place. */
  person?: { is: NoInfer<Actor>; types: string; words?: Readonly<Partial<Record<NoInfer<Name>, string>>> }
}

/** Declares the life of a record; the table is the only place where a transition is written down. */
export function defineFlow<const State extends string, const Name extends string, const Actor extends string>(
  flow: Flow<State, Name, Actor>,
): Flow<State, Name, Actor> {
  return flow
}

/** The state a move leads to, or a refusal that says what would have been right. */
export function nextState<State extends string, Name extends string, Actor extends string>(
  flow: Flow<State, Name, Actor>,
  state: NoInfer<State>,
  move: NoInfer<Name>,
  actor: NoInfer<Actor>,
): State {
  const { from, to, by } = flow.moves[move]
  const allowed = movesFrom(flow, state, actor)
  const details = { flow: flow.name, state, move, actor, from, by, allowed }
  const asked = flow.person?.is === actor ? typedWord(flow, move) : move
  if (!from.includes(state)) {
    const message = `${flow.name} cannot ${asked} from ${state}; only from ${from.join(', ')}${insteadOf(flow, actor, allowed)}`
    throw new Problem('move_refused', message, { details })
  }
  if (!by.includes(actor)) {
    throw new Problem('forbidden', `${actor} may not ${move} a ${flow.name}; only ${by.join(', ')} may`, { details })
  }
  return to
}

function insteadOf<Name extends string>(flow: Flow<string, Name, string>, actor: string, allowed: readonly Name[]): string {
  if (allowed.length === 0) return ''
  if (flow.person?.is !== actor) return `; ${actor} may ${allowed.join(', ')} it now`
  return `; what you can do now: ${flow.person.types} ${typedWords(flow, allowed).join(', ')}`
}

/** What a person types for each of these moves, each once: `approve` is one, whether a phase passes by it or the job. */
export function typedWords<Name extends string>(flow: Flow<string, Name, string>, moves: readonly NoInfer<Name>[]): string[] {
  return [...new Set(moves.map((move) => typedWord(flow, move)))]
}

/** What a person types for a move, behind the command of its table. */
export function typedWord<Name extends string>({ person }: Flow<string, Name, string>, move: NoInfer<Name>): string {
  return person?.words?.[move] ?? move.split('_')[0] ?? move
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
