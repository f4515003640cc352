import * as z from 'zod'
import type { RoleFault } from './fault.ts'
import { readYaml } from './locate.ts'

/** What a role file of another tool says, in our words. */
export interface ForeignText {
  name: string
  description: string
  instructions: string
  /** The tools it may use, by the names it gives them; what it does not name it is not given. */
  tools: string[]
}

/** Where a tool keeps its roles, and how they are read. */
export interface ForeignFormat {
  tool: string
  folder: string
  ending: string
  read: (text: string, name: string, file: string, faults: RoleFault[]) => Promise<ForeignText[]>
}

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
  { tool: 'Roo Code',       folder: '.',                 ending: '.roomodes',    read: customModes },
]

/** A list of names, the same in one text with commas, or a map from names to whether they are allowed. */
const Tools = z
  .union([
    z.array(z.string()),
    z.string().transform((text) => text.split(/[\s,]+/)),
    z.record(z.string(), z.unknown()).transform((map) => Object.keys(map).filter((name) => map[name] === true)),
  ])
  .catch([])

const FrontMatter = z.object({ name: z.string().optional(), description: z.string().catch(''), tools: Tools })

/** A group is a name, or a name with the files it is for; one that is for some files only is not given, because we could not hold it to them. */
const Group = z.union([z.string(), z.array(z.unknown()).transform(() => '')]).catch('')

const CustomModes = z.object({
  customModes: z.array(
    z.object({
      slug: z.string(),
      name: z.string().optional(),
      description: z.string().optional(),
      whenToUse: z.string().optional(),
      roleDefinition: z.string(),
      customInstructions: z.string().optional(),
      groups: z.array(Group).catch([]),
    }),
  ),
})

async function markdown(text: string, name: string, file: string, faults: RoleFault[]): Promise<ForeignText[]> {
  const [, front = '', instructions = ''] = /^---\n([^]*?)\n---\n?([^]*)$/.exec(text) ?? ['', '', text]
  const located = front === '' ? { value: {} } : await readYaml(front, file, 2, [])
  const stated = FrontMatter.safeParse(located?.value ?? fieldByLine(front))
  if (!stated.success || instructions.trim() === '') {
    faults.push({ file, line: 1, field: 'role', found: 'no text', expected: 'front matter and a text below it' })
    return []
  }
  return [{ name: stated.data.name ?? name, description: stated.data.description, instructions, tools: stated.data.tools }]
}

/** Other tools take `description: Use when: …` for text, which to YAML is a fault. */
function fieldByLine(front: string): Record<string, string> {
  return Object.fromEntries([...front.matchAll(/^(\w+): *(.+)$/gm)].map(([, key = '', value = '']) => [key, value]))
}

const CodexAgent = z.object({
  name: z.string(),
  description: z.string().default(''),
  developer_instructions: z.string().min(1),
  sandbox_mode: z.string().default('read-only'),
})

/** Codex names no tools: what its sandbox lets an agent do is what the agent may do. */
async function toml(text: string, name: string, file: string, faults: RoleFault[]): Promise<ForeignText[]> {
  const stated = CodexAgent.safeParse({ name, ...tomlTexts(text) })
  if (!stated.success) {
    faults.push({ file, line: 1, field: 'developer_instructions', found: 'no text', expected: 'what the agent is told' })
    return []
  }
  const { developer_instructions: instructions, sandbox_mode, ...about } = stated.data
  return [{ ...about, instructions, tools: sandbox_mode === 'read-only' ? [] : ['edit', 'shell'] }]
}

async function customModes(text: string, _name: string, file: string, faults: RoleFault[]): Promise<ForeignText[]> {
  const located = await readYaml(text, file, 1, faults)
  const stated = CustomModes.safeParse(located?.value)
  if (!stated.success) return []
  return stated.data.customModes.map((mode) => ({
    name: mode.name ?? mode.slug,
    description: mode.description ?? mode.whenToUse ?? '',
    instructions: [mode.roleDefinition, mode.customInstructions ?? ''].join('\n\n'),
    tools: mode.groups,
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
