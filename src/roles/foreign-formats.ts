import * as z from 'zod'
import type { RoleFault } from './fault.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import { rightsOf, type ForeignRights } from './foreign-rights.ts'
import { readYaml } from './locate.ts'

/** What a role file of another tool says, in our words. */
export interface ForeignText {
  name: string
  description: string
  instructions: string
  rights: ForeignRights
  /** The model it names, and skills it names. */
  model: string | null
  skills: string[]
}

/** Where a tool keeps its roles, and how they are read. */
export interface ForeignFormat {
  tool: string
  folder: string
  ending: string
  read: (text: string, name: string, from: { file: string; tool: string }, faults: RoleFault[]) => Promise<ForeignText[]>
}

type From = Parameters<ForeignFormat['read']>[2]

/** Every format we read. Rules that hold for everyone, such as .cursor/rules, are no roles. */
// oxfmt-ignore
export const foreignFormats: readonly ForeignFormat[] = [
  { tool: 'Claude Code',    folder: '.claude/agents',    ending: '.md',          read: markdown },
  { tool: 'Codex',          folder: '.codex/agents',     ending: '.toml',        read: toml },
  { tool: 'Cursor',         folder: '.cursor/agents',    ending: '.md',          read: markdown },
  { tool: 'Gemini CLI',     folder: '.gemini/agents',    ending: '.md',          read: markdown },
  { tool: 'OpenCode',       folder: '.opencode/agent',   ending: '.md',          read: markdown },
  { tool: 'OpenCode',       folder: '.opencode/agents',  ending: '.md',          read: markdown },
  { tool: 'GitHub Copilot', folder: '.github/agents',    ending: '.agent.md',    read: markdown },
  { tool: 'GitHub Copilot', folder: '.github/chatmodes', ending: '.chatmode.md', read: markdown },
  { tool: 'Kilo',           folder: '.kilo/agent',       ending: '.md',          read: markdown },
  { tool: 'Kilo',           folder: '.kilo/agents',      ending: '.md',          read: markdown },
  { tool: 'Roo Code',       folder: '.',                 ending: '.roomodes',    read: customModes },
  { tool: 'Kilo',           folder: '.',                 ending: '.kilocodemodes', read: customModes },
]

const FrontMatter = z.looseObject({
  name: z.string().optional().catch(undefined),
  description: z.string().catch(''),
  model: z.string().nullable().catch(null),
  skills: z.union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean))]).catch([]),
})

/** What other tools have and we have not; a role that names one behaves otherwise here. */
const withoutCounterpart = [
  'hooks',
  'mcpServers',
  'mcp',
  'mcp-servers',
  'maxTurns',
  'max_turns',
  'isolation',
  'memory',
  'background',
  'handoffs',
]

const CustomModes = z.object({
  customModes: z.array(
    z.object({
      slug: z.string(),
      name: z.string().optional(),
      description: z.string().optional(),
      whenToUse: z.string().optional(),
      roleDefinition: z.string(),
      customInstructions: z.string().optional(),
      groups: z.array(z.unknown()).catch([]),
    }),
  ),
})

async function markdown(text: string, name: string, { file, tool }: From, faults: RoleFault[]): Promise<ForeignText[]> {
  const [, front = '', instructions = ''] = /^\uFEFF?---[ \t]*\n([^]*?)\n---[ \t]*\n?([^]*)$/.exec(text) ?? ['', '', text]
  const located = front === '' ? { value: {} } : await readYaml(front, file, 2, [])
  const stated = FrontMatter.safeParse(isRecord(located?.value) ? located.value : fieldByLine(front))
  if (!stated.success || instructions.trim() === '') {
    faults.push({ file, line: 1, field: 'role', found: 'no text', expected: 'front matter and a text below it' })
    return []
  }
  const { data } = stated
  const rights = rightsOf(data, tool)
  const left = withoutCounterpart.filter((field) => data[field] !== undefined).map((field) => `${field} has no counterpart and is left out`)
  const { name: stands = name, description, model, skills } = data
  return [{ name: stands, description, model, skills, instructions, rights: { ...rights, notes: [...rights.notes, ...left] } }]
}

/** Other tools take `description: Use when: …` for text, which to YAML is a fault. */
function fieldByLine(front: string): Record<string, string> {
  return Object.fromEntries([...front.matchAll(/^([\w-]+): *(.+)$/gm)].map(([, key = '', value = '']) => [key, value]))
}

const CodexAgent = z.object({
  name: z.string(),
  description: z.string().default(''),
  developer_instructions: z.string().min(1),
  sandbox_mode: z.string().default('read-only'),
  model: z.string().nullable().default(null),
})

/** Codex names no tools: what its sandbox lets an agent do is what the agent may do. */
async function toml(text: string, name: string, { file }: From, faults: RoleFault[]): Promise<ForeignText[]> {
  const stated = CodexAgent.safeParse({ name, ...tomlTexts(text) })
  if (!stated.success) {
    faults.push({ file, line: 1, field: 'developer_instructions', found: 'no text', expected: 'what the agent is told' })
    return []
  }
  const { developer_instructions: instructions, sandbox_mode, ...about } = stated.data
  const readonly = !['workspace-write', 'danger-full-access'].includes(sandbox_mode)
  return [{ ...about, skills: [], instructions, rights: rightsOf({ tools: readonly ? [] : ['edit', 'shell'] }, 'Codex') }]
}

async function customModes(text: string, _name: string, { file, tool }: From, faults: RoleFault[]): Promise<ForeignText[]> {
  const located = await readYaml(text, file, 1, faults)
  const stated = CustomModes.safeParse(located?.value)
  if (!stated.success) return []
  return stated.data.customModes.map((mode) => ({
    name: mode.name ?? mode.slug,
    description: mode.description ?? mode.whenToUse ?? '',
    instructions: [mode.roleDefinition, mode.customInstructions ?? ''].join('\n\n'),
    rights: rightsOf({ tools: mode.groups }, tool),
    model: null,
    skills: [],
  }))
}

/** A field at the start of a line that holds a text, in any of the four ways TOML writes one; or the beginning of a table, below which no field is the file's own. */
const FIELD = /^(?:(\w+)[ \t]*=[ \t]*(?:"""\n?([^]*?)"""|'''\n?([^]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')|\[)/gm

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** The texts a TOML file states above its tables, by field; the rest of TOML no role needs. */
function tomlTexts(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, field, long, longLiteral, short, literal] of text.matchAll(FIELD)) {
    if (field === undefined) break
    found[field] ??= longLiteral ?? literal ?? unescaped(long ?? short ?? '')
  }
  return found
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(\s+)|(.))/gi, (_, code?: string, blank?: string, letter = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return blank === undefined ? (escapes[letter] ?? letter) : ''
  })
}
