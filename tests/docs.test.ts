import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parse as parseYaml } from 'yaml'
import { Config } from '../src/config/schema.ts'
import { commands, examples } from '../src/cli/commands.ts'
import { flows } from './diagrams.ts'
import { misuse } from './docs/command-tree.ts'
import { stepsOf } from './docs/console-block.ts'
import { blocksOf, pages, type Block } from './docs/page.ts'
import { difference } from './docs/shown.ts'
import { operations } from '../src/api/operations.ts'
import { root, textOf } from './sources.ts'

/** Languages of blocks that nobody types into a shell, each with what must hold of its text. */
const languages: Record<string, (text: string) => void> = {
  console: () => undefined,
  json: (text) => void JSON.parse(text),
  yaml: (text) => void parseYaml(text),
  toml: () => undefined,
  js: () => undefined,
  markdown: () => undefined,
  mermaid: () => undefined,
  text: () => undefined,
}

const texts = pages().map((page) => ({ page, text: textOf(page) }))
const blocks = texts.flatMap(({ page, text }) => blocksOf(page, text))

test('[D1] every block of a page is of a kind that is checked, and what is typed into a shell is in a console block', () => {
  const wrong = blocks.flatMap((block) => faultsOf(block))

  assert.deepEqual(wrong, [])
})

test('[D1] a shell block, a command in disguise, broken JSON and a file the text does not name are each caught', () => {
  const planted = [
    '```sh\ntroupe\n```',
    '```\ntroupe roles\n```',
    '```text\ntroupe roles show planner\n```',
    '```json\n{\n```',
    'Save it:\n```yaml file=a.yaml\na: 1\n```',
    '```console\nno prompt\n```',
    'Save it as `a.yaml`:\n```yaml file=a.yaml\na: 1\n```',
  ]

  const caught = planted.map((text) => blocksOf('planted.md', text).flatMap(faultsOf).length > 0)

  assert.deepEqual(caught, [true, true, true, true, true, true, false])
})

test('[C16] every noun has examples, and each can be typed', async () => {
  const wrong: string[] = []
  for (const { name } of commands) {
    if (!examples[name]?.every((line) => line.startsWith(name))) wrong.push(`${name} has none of its own`)
    for (const line of examples[name] ?? []) wrong.push(...[await misuse(`troupe ${line}`)].filter((why) => why !== null))
  }

  assert.deepEqual(wrong, [])
})

test('[D2] every command of ours that a page names exists and takes the options it is given', async () => {
  const wrong: string[] = []
  for (const { page, text } of texts) {
    for (const line of commandsIn(page, text)) {
      const why = await misuse(line)
      if (why !== null) wrong.push(`${page}: ${line}: ${why}`)
    }
  }

  assert.deepEqual(wrong, [])
})

test('[D2] a verb and an option nobody takes are caught, and what stands in quotes is neither', async () => {
  const lines = ['troupe roles shew x', 'troupe team --codrs 2', 'troupe run "do --this now" --role actor', 'troupe chat --demo']

  const caught = await Promise.all(lines.map(async (line) => (await misuse(line)) !== null))

  assert.deepEqual(caught, [true, true, false, false])
})

test('[B2] [J1] every move that a table gives to a person is made by an operation', async () => {
  const names = new Set<string>(operations.map(({ name }) => name))
  const named = (await flows()).flatMap(({ name, moves, person }) => {
    const own = person === undefined ? [] : Object.keys(moves).filter((move) => moves[move]?.by.includes(person.is))
    return own.map((move) => ({ move: `${name} ${move}`, operation: person?.does[move]?.operation ?? '' }))
  })

  const wrong = named.filter(({ operation }) => !names.has(operation))

  assert.deepEqual([wrong, named.length > 20], [[], true])
})

test('[D3] every script of npm, file and heading that a page points to exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> } // our own file
  const missing = texts.flatMap(({ page, text }) => [
    ...[...text.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name).filter((name) => !(name in scripts)),
    ...linksIn(text).filter((link) => !leadsSomewhere(page, link)),
  ])

  assert.deepEqual(missing, [])
})

test('[D3] the decisions are numbered without a gap, and each begins with its number', () => {
  const files = readdirSync(join(root, 'docs/decisions')).toSorted()
  const numbers = files.map((_, at) => String(at + 1).padStart(4, '0'))

  const headed = files.map((file) => [file.slice(0, 4), textOf(`docs/decisions/${file}`).slice(2, 6)])

  assert.deepEqual(
    headed,
    numbers.map((number) => [number, number]),
  )
})

test('[D1] dots stand for anything, alone for any lines, and everything else for itself', () => {
  const shown = 'one\ntwo three\nfour\n'

  const verdicts = [
    ['one', '…'],
    ['one', 'two …', 'four'],
    ['…', 'four'],
    ['one', 'four'],
    ['one', 'two'],
  ].map((wanted) => difference(wanted, shown) === null)

  assert.deepEqual(verdicts, [true, true, true, false, false])
})

function faultsOf(block: Block): string[] {
  const at = `${block.page}:${block.line}`
  const check = languages[block.language]
  if (check === undefined) return [`${at} is a block of ${block.language || 'no language'}; there are ${Object.keys(languages).join(', ')}`]
  const text = block.lines.join('\n')
  if (block.language !== 'console' && /^(\$ |troupe |npm |git )/m.test(text)) return [`${at} holds commands but is no console block`]
  if (block.language === 'console' && stepsOf(block.lines, block.line) === null) return [`${at} does not begin with a command`]
  if (block.file !== null && !block.before.includes(`\`${block.file}\``))
    return [`${at} is saved as ${block.file}, but the text does not say so`]
  try {
    check(text)
    if (block.language === 'yaml' && block.before.includes('config.yaml')) Config.parse(parseYaml(text))
    return []
  } catch (error) {
    return [`${at} is not ${block.language}: ${String(error)}`]
  }
}

/** Commands in console blocks and in the running text. */
function commandsIn(page: string, text: string): string[] {
  const steps = blocksOf(page, text).flatMap((block) => (block.language === 'console' ? (stepsOf(block.lines, block.line) ?? []) : []))
  const inText = [...text.replaceAll(/^\s*```[^]*?^\s*```/gm, '').matchAll(/`(troupe [^`]+)`/g)].map(([, line = '']) => line)
  return [...steps.map(({ command }) => command.replaceAll('\\\n', ' ')), ...inText].flatMap(
    (line) => /^(?:\w+=\S+ )*(troupe(?: .*)?)$/s.exec(line)?.[1] ?? [],
  )
}

/** Links within the tree; what is elsewhere cannot be looked at from here. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
}

/** To a file that is there and, with a fragment, to a heading of it. */
function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', fragment] = link.split('#')
  const target = file === '' ? page : join(dirname(page), file)
  if (!existsSync(join(root, target))) return false
  return fragment === undefined || headingsIn(textOf(target)).includes(fragment)
}

function headingsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  return headings.map((heading) => heading.replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-'))
}
