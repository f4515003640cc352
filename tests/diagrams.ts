import { isFinal, type Flow } from '../src/domain/flow.ts'
import { domainFiles, textOf } from './sources.ts'

type AnyFlow = Flow<string, string, string>

/** ARCHITECTURE.md as it should be: every state table of the domain drawn after the last heading, in the order of their names. */
export async function architecture(): Promise<{ is: string; shouldBe: string }> {
  const is = textOf('ARCHITECTURE.md')
  const heading = '## Lives\n'
  const head = is.slice(0, is.indexOf(heading) + heading.length)
  const drawn = (await flows()).map((flow) => `\n### ${flow.name}\n\n\`\`\`mermaid\n${toMermaid(flow)}\n\`\`\`\n`)
  return { is, shouldBe: head + drawn.join('') }
}

/** A table as a Mermaid state diagram. */
function toMermaid(flow: AnyFlow): string {
  const arrows = Object.entries(flow.moves).flatMap(([name, { from, to }]) => from.map((state) => `  ${state} --> ${to}: ${name}`))
  const ends = flow.states.filter((state) => isFinal(flow, state)).map((state) => `  ${state} --> [*]`)
  return ['stateDiagram-v2', `  [*] --> ${flow.initial}`, ...arrows, ...ends].join('\n')
}

/** Every table of moves in the domain. */
export async function flows(): Promise<AnyFlow[]> {
  const modules: object[] = await Promise.all(domainFiles().map((file) => import(`../src/domain/${file}`)))
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isFlow)
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

function isFlow(value: unknown): value is AnyFlow {
  return typeof value === 'object' && value !== null && 'moves' in value && 'initial' in value && 'states' in value
}
