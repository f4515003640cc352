import type { Line, Scene } from './scene.ts'

/** Plays a step of a workflow: an output that meets what the step demands, and a value for every variable that is asked for. */
export function rehearseStep(scene: Scene): Line {
  if (scene.turn > 0) return { text: 'Rehearsal model: the step is handed in.' }
  return { text: '', calls: [{ tool: 'finish_step', input: { output: outputFor(scene), context: variablesFor(scene) } }] }
}

function outputFor({ system }: Scene): string {
  const demands = [...system.matchAll(/^- the output (.*)$/gm)].map(([, demand = '']) => demand)
  const json = demands.some((demand) => demand.startsWith('is JSON'))
  if (json) return '{}'
  const text = ['This is the rehearsal model: no AI model carried out the step.', ...demands.map(meet)]
    .filter((line) => line !== '')
    .join('\n')
  const least = Math.max(0, ...demands.map((demand) => Number(/^has (\d+) to/.exec(demand)?.[1] ?? 0)))
  return text.length >= least ? text : `${text}\n${'It would say more here. '.repeat(Math.ceil((least - text.length) / 24))}`
}

/** A line that meets a demand; of several choices the first. */
function meet(demand: string): string {
  const [, text] = /^contains ("(?:[^"\\]|\\.)*")/.exec(demand) ?? []
  if (text !== undefined) return String(JSON.parse(text))
  const [, pattern] = /^matches \/(.*)\/[a-z]*(?: — .*)?$/.exec(demand.split(' | or ')[0] ?? '') ?? []
  return pattern === undefined ? '' : sampleOf(pattern)
}

/** Nobody finds anything out in a rehearsal: yes is the answer, or a list or a number where the answer before was refused. */
function variablesFor({ wish }: Scene): Record<string, unknown> {
  const [, names] = /^Find out (.+) from what was done so far/m.exec(wish) ?? []
  const asked = names === undefined ? [] : names.split(', ').map((name): [string, unknown] => [name, true])
  const kinds = [...wish.matchAll(/(\w+) must be (an array|a whole number)/g)]
  const corrected = kinds.map(([, name = '', kind]): [string, unknown] => [name, kind === 'an array' ? ['rehearsal'] : 1])
  return Object.fromEntries([...asked, ...corrected])
}

/** A short text that a pattern accepts. It knows what authors of workflows write: alternatives, groups, classes, repetitions; the first choice is taken. */
export function sampleOf(pattern: string): string {
  return readChoice(pattern, 0).text
}

interface Piece {
  text: string
  /** Where reading goes on. */
  end: number
}

/** Reads to the end of a group; what follows the first alternative is passed over. */
function readChoice(pattern: string, start: number): Piece {
  let text = ''
  let at = start
  let chosen = true
  while (at < pattern.length && pattern[at] !== ')') {
    if (pattern[at] === '|') {
      chosen = false
      at += 1
      continue
    }
    const atom = readAtom(pattern, at)
    const { times, end } = readTimes(pattern, atom.end)
    if (chosen) text += atom.text.repeat(times)
    at = end
  }
  return { text, end: at }
}

function readAtom(pattern: string, at: number): Piece {
  const [sign = '', escaped = ''] = pattern.slice(at, at + 2)
  if (sign === '(') return readGroup(pattern, at)
  if (sign === '[') return readClass(pattern, at)
  if (sign === '\\') return { text: samples.get(escaped) ?? escaped, end: at + 2 }
  if (sign === '^' || sign === '$') return { text: '', end: at + 1 }
  return { text: sign === '.' ? 'x' : sign, end: at + 1 }
}

/** What a look ahead or behind demands is elsewhere in the text, so it adds nothing here. */
function readGroup(pattern: string, at: number): Piece {
  const [opening = '('] = /^\((\?(:|<?[=!]|<\w+>))?/.exec(pattern.slice(at)) ?? []
  const { text, end } = readChoice(pattern, at + opening.length)
  return { text: /[=!]$/.test(opening) ? '' : text, end: end + 1 }
}

function readClass(pattern: string, at: number): Piece {
  const [whole = '['] = /^\[(?:\\.|[^\]\\])*\]/.exec(pattern.slice(at)) ?? []
  const fits = `x1- .)#*_X${whole}`.split('').find((sign) => RegExp(`^${whole}$`).test(sign))
  return { text: fits ?? '', end: at + whole.length }
}

function readTimes(pattern: string, at: number): { times: number; end: number } {
  const [whole = '', sign = '', least = ''] = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at)) ?? []
  const times = whole === '' || sign === '+' ? 1 : Number(least || 0)
  return { times, end: at + whole.length }
}

// oxfmt-ignore
const samples = new Map([['d', '1'], ['w', 'a'], ['s', ' '], ['S', 'x'], ['D', 'x'], ['W', '-'], ['n', '\n'], ['t', '\t'], ['b', ''], ['B', '']])
