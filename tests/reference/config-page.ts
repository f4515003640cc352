import { placeHolds, placesFor } from '../../src/config/places.ts'
import { Config } from '../../src/config/schema.ts'
import { projectRules } from '../../src/config/trust.ts'
import { hostedKinds, localServers } from '../../src/providers/settings.ts'
import { sourcesIn } from '../sources.ts'
import { code, page, table } from './markdown.ts'
import { fieldsOf, shapeOf, typeText, type Field, type Shape } from './schema-text.ts'

/** Every setting: what it takes, its default, and what a project's own file may do with it. */
export function configPage(): string {
  const rows = settings(shapeOf(Config)).map(({ name, type, description, ...field }) => [
    code(name),
    description,
    code(type),
    field.default === '' ? 'none' : code(field.default ?? 'needed'),
    projectMay(name),
  ])
  const general = [
    "Settings stand in `~/.config/troupe/config.yaml` (yours) and `.troupe/config.yaml` (the project's). A flag wins over the environment, that over the",
    'project, that over you, that over the default; a project may only tighten. `troupe config` shows what is in force and where it came from.',
  ].join('\n')
  return page('Configuration', '`src/config`', [
    general,
    table(['Key', 'Means', 'Takes', 'Default', 'A project may'], rows),
    '## Environment',
    environmentTable(),
    '## Limits',
    [
      'One limit can be set in three places, and the lowest that is given holds:',
      table(
        ['In a file', 'For one run', 'For a job', 'Means'],
        [
          [code('limits.max_turns: 100'), code('--max-turns 100'), code('--max-turns 100'), 'requests to a model'],
          [
            code('limits.max_cost_microusd: 500000'),
            code('--max-budget-usd 0.50'),
            code('--max-cost-usd 0.50'),
            'money: a file counts in millionths of a dollar, an option in dollars',
          ],
          [code('limits.max_wall_ms: 1800000'), 'none', code('--max-minutes 30'), 'time: a file counts in milliseconds'],
        ],
      ),
    ].join('\n\n'),
    '## Providers',
    providersTable(),
    [
      'A model is named `provider/model`. A bare name such as `grok-code-fast-1` finds its provider in `models`, else by how it begins; one that nobody knows is refused.',
      `Servers on this machine need no key, and \`troupe doctor\` finds them: ${Object.entries(localServers)
        .map(([name, url]) => `${code(name)} at ${url}`)
        .join(', ')}. Any other server that speaks OpenAI's chat is a provider`,
      'of your own under `providers`, with the variable of its key in `api_key_env`.',
    ].join('\n'),
    '## Where everything is',
    placesText,
    placesTable(),
  ])
}

/** Where the key and the address of each hosted provider are read from. */
function providersTable(): string {
  const rows = Object.entries(hostedKinds).map(([name, { key_variables, base_url_variable, default_model }]) => [
    code(name),
    key_variables.map(code).join(' or '),
    code(base_url_variable),
    code(default_model),
  ])
  return table(['Provider', 'Key', 'Another address', 'Model where none is named'], rows)
}

const placesText = [
  '`troupe config path` prints this for your machine. A variable of XDG that is not an absolute path is ignored. Beside these a job may lie in the folder of',
  '`--dir`, a demo in that of `troupe demo --dir`, and the store where the setting `store` says.',
].join('\n')

const movers = ['TROUPE_HOME', 'TROUPE_JOBS_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'TMPDIR'] as const

/** Every place, and which variables move it, found by setting each. */
function placesTable(): string {
  const usual = { HOME: '~', TMPDIR: '/tmp' }
  const places = Object.entries(placesFor(usual, 'PROJECT'))
  const rows = places.map(([name, place]) => {
    const movedBy = movers.filter((mover) =>
      Object.entries(placesFor({ ...usual, [mover]: '/elsewhere' }, 'PROJECT')).some(([other, now]) => other === name && now !== place),
    )
    return [code(name), code(place), placeHolds[name as keyof typeof placeHolds], movedBy.map(code).join(', ')] // its own keys
  })
  return table(['Name', 'Where', 'What lies there', 'Moved by'], rows)
}

/** Objects are opened, so that each leaf has a row; a map of named things shows what each of them takes. */
function settings(shape: Shape, prefix = ''): Field[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`
    const [own] = fieldsOf({ properties: { [name]: inner }, required: shape.required ?? [] })
    if (inner.properties) return settings(inner, `${name}.`)
    const each = inner.additionalProperties
    if (typeof each === 'object' && each.properties) return settings(each, `${name}.NAME.`)
    if (typeof each === 'object') return [{ name: `${name}.NAME`, type: typeText(each), default: '', description: inner.description ?? '' }]
    return own ? [own] : []
  })
}

const tightenings: Record<string, string> = {
  aModel: 'set it, but to no outside agent and no script',
  stricter: 'make it stricter',
  lower: 'lower it',
  onlyFalse: 'turn it off',
}

function projectMay(name: string): string {
  const rule = projectRules[name] ?? projectRules[name.split('.')[0] ?? '']
  return rule === undefined ? 'not set it' : (tightenings[rule.name] ?? rule.name)
}

/** What each variable means. Which there are is read from the sources: one that is missing here, or gone there, is an error. */
const meanings: Record<string, string> = {
  TROUPE_HOME: 'one folder for everything of ours: store, token, jobs, settings, roles, workflows and cache; an absolute path',
  TROUPE_STORE: 'the store: `sqlite:PATH` or `postgres://…`; the setting `store`',
  TROUPE_PORT: 'the port of the server; the setting `port`',
  TROUPE_JOBS_DIR: 'where jobs are made; by default `jobs` in our home',
  TROUPE_JOB_ID: 'the job that is meant when none is named',
  TROUPE_WORKFLOW_PATH: 'more folders with workflows, separated by colons',
  TROUPE_AGENT_ID: 'the agent of the board one acts as, such as `coder-1`',
  TROUPE_AGENT_GENERATION: 'the registration of that agent, where it is not kept in `.troupe/agents`',
  TROUPE_DEBUG: 'when set, an unforeseen problem is shown with its stack',
  LIZA_AGENT_ID: 'another name of `TROUPE_AGENT_ID`',
}

/** The variables of our own, as a table. */
function environmentTable(): string {
  const read = new Set(
    sourcesIn('src')
      .filter(({ file }) => !/test/.test(file))
      .flatMap(({ text }) => [...text.matchAll(/env\['((?:TROUPE|LIZA)_\w+)'\]/g)].map(([, name = '']) => name)),
  )
  const wrong = [...read].filter((name) => !(name in meanings)).concat(Object.keys(meanings).filter((name) => !read.has(name)))
  if (wrong.length > 0) throw new Error(`tests/reference/config-page.ts and the sources disagree about ${wrong.join(', ')}`)
  return table(
    ['Variable', 'Means'],
    Object.entries(meanings).map(([name, means]) => [code(name), means]),
  )
}
