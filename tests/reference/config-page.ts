import { Config } from '../../src/config/schema.ts'
import { projectRules } from '../../src/config/trust.ts'
import { environmentTable } from './environment.ts'
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
    'Keys of models: `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY`, `OPENROUTER_API_KEY`, or what `providers.NAME.api_key_env` names.',
  ])
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
