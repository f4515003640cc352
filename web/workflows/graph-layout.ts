import type { OutlineStep } from '../../src/domain/workflow/view.ts'
import { shorten } from '../../src/domain/text/format.ts'
import type { Condition } from '../../src/domain/workflow/condition.ts'
import { conditionText } from './condition-text.ts'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A step. */
export interface GraphNode extends Box {
  id: string
  title: string[]
  about: string
}

/** A question asked on the way: does the step take place? */
export interface GraphTest extends Box {
  text: string[]
}

/** The frame around the steps of a loop. */
export interface GraphFrame extends Box {
  title: string
  about: string[]
}

export interface GraphLine {
  points: readonly (readonly [number, number])[]
  label: string | null
  arrow: boolean
}

export interface Graph {
  width: number
  height: number
  nodes: GraphNode[]
  tests: GraphTest[]
  frames: GraphFrame[]
  lines: GraphLine[]
  /** Where it starts and where it ends. */
  ends: readonly (readonly [number, number])[]
}

const WIDTH = 460
const TOP = 12
const GAP = 26
const LANE = 22
const TITLE_CHARS = 34
const TEXT_CHARS = 42

/** Where everything stands: the steps below each other, what is passed over beside them, loops in frames. */
export function layOut(steps: readonly OutlineStep[]): Graph {
  const graph: Graph = { width: WIDTH, height: 0, nodes: [], tests: [], frames: [], lines: [], ends: [] }
  const at = { left: 8, right: WIDTH - 8 - LANE }
  const end = column(graph, steps, at, TOP)
  const center = (at.left + at.right) / 2
  return {
    ...graph,
    height: end + TOP,
    ends: [
      [center, TOP - 5],
      [center, end + 5],
    ],
  }
}

interface Column {
  left: number
  right: number
}

/** Puts steps below each other from a height on, and gives back the height at which the last line ends. */
function column(graph: Graph, steps: readonly OutlineStep[], at: Column, top: number): number {
  const center = (at.left + at.right) / 2
  let y = top
  for (const step of steps) {
    const from = y
    const body = step.runCondition === null ? from + GAP : test(graph, step.runCondition, at, from)
    if (step.runCondition === null) down(graph, center, from, body)
    y = step.loop === null ? box(graph, step, at, body) : frame(graph, step, at, body)
    if (step.runCondition !== null) passBy(graph, at, from + GAP, (y += GAP))
  }
  down(graph, center, y, y + GAP)
  return y + GAP
}

/** A straight line downwards. */
function down(graph: Graph, x: number, from: number, to: number, { label = null, arrow = true }: Partial<GraphLine> = {}): void {
  const points = [[x, from] as const, [x, to] as const]
  graph.lines.push({ points, label, arrow })
}

function test(graph: Graph, condition: Condition, at: Column, from: number): number {
  const center = (at.left + at.right) / 2
  const text = wrapped(conditionText(condition), TEXT_CHARS)
  const height = 14 + text.length * 15
  const y = from + GAP
  down(graph, center, from, y)
  graph.tests.push({ x: at.left + 14, y, width: at.right - at.left - 28, height, text })
  down(graph, center, y + height, y + height + GAP, { label: 'yes' })
  return y + height + GAP
}

/** The way around a step that does not take place. */
function passBy(graph: Graph, at: Column, from: number, to: number): void {
  const center = (at.left + at.right) / 2
  const lane = at.right + LANE / 2
  graph.lines.push({
    points: [
      [at.right - 14, from + 12],
      [lane, from + 12],
      [lane, to],
      [center, to],
    ],
    label: 'no',
    arrow: false,
  })
  down(graph, center, to - GAP, to, { arrow: false })
}

function box(graph: Graph, step: OutlineStep, at: Column, y: number): number {
  const title = wrapped(step.title, TITLE_CHARS)
  const about = [
    ...(step.role === null ? [] : [`as ${step.role}`]),
    ...(step.requireConfirmation ? ['you confirm'] : []),
    ...(step.validated ? ['output checked'] : []),
  ].join(' · ')
  const height = 16 + title.length * 17 + (about === '' ? 0 : 16)
  graph.nodes.push({ id: step.id, x: at.left, y, width: at.right - at.left, height, title, about })
  return y + height
}

function frame(graph: Graph, step: OutlineStep, at: Column, y: number): number {
  const { loop } = step
  if (loop === null) return y
  const about = wrapped(`${loopText(loop)}${step.requireConfirmation ? ' · you confirm each step' : ''}`, TEXT_CHARS)
  const head = 30 + about.length * 15
  const inner = { left: at.left + LANE + 8, right: at.right - LANE - 8 }
  const center = (inner.left + inner.right) / 2
  const end = column(graph, loop.body, inner, y + head)
  const lane = at.left + LANE / 2 + 2
  graph.lines.push({
    points: [
      [center, end],
      [lane, end],
      [lane, y + head + 6],
      [center, y + head + 6],
    ],
    label: 'again',
    arrow: true,
  })
  graph.frames.push({ x: at.left, y, width: at.right - at.left, height: end - y + 12, title: step.title, about })
  return end + 12
}

function loopText({ type, over, maxIterations }: NonNullable<OutlineStep['loop']>): string {
  const what = typeof over === 'object' ? conditionText(over) : String(over)
  const often = type === 'forEach' ? `for each of ${what}` : type === 'for' ? `${what} times` : `${type} ${what}`
  return `${often}, at most ${maxIterations} rounds`
}

/** SVG does not break lines; two lines are enough to know a step by. */
function wrapped(text: string, most: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last === '' || last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`.trim()
    else lines.push(word)
  }
  const [first = '', second, third] = lines.map((line) => shorten(line, most))
  if (second === undefined) return [first]
  return [first, third === undefined ? second : `${second} …`]
}
