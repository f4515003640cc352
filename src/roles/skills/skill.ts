import * as z from 'zod'
import { readYaml } from '../locate.ts'
import { visible } from '../fault.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'

/** What a skill is called: what its folder is called. */
export const SkillName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters and digits, with single - between them')

/** A folder of instructions, and files beside them, for one kind of work. */
export interface Skill {
  name: string
  description: string
  /** The tools it says it needs. It is told and grants nothing. */
  allowedTools: string[]
  source: 'user' | 'project'
  /** Its folder, free of links; and what it must not leave. */
  folder: string
  within: string
  text: string
  /** How many bytes of its text are left out. */
  cutBytes: number
}

/** A folder that was meant to be a skill, and why it is none. */
export interface SkillFault {
  file: string
  fault: string
}

const Stated = z.object({
  name: SkillName.optional(),
  description: z.string().trim().min(1).max(1024),
  'allowed-tools': z
    .union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+(?![^(]*\))/).filter(Boolean))])
    .catch([])
    .default([]),
})

/** What the text of a SKILL.md says, or why it says nothing. Fields that are not ours are for other tools. */
export async function parseSkill(
  text: string,
  folderName: string,
): Promise<Pick<Skill, 'name' | 'description' | 'allowedTools' | 'text'> | string> {
  const [, front, body = ''] = /^\uFEFF?---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text) ?? []
  if (front === undefined) return 'it does not begin with fields between two lines of ---'
  if (front.length > 16_384) return 'its fields are longer than 16384 characters'
  const located = await readYaml(front, folderName, 2, [])
  const fields = isRecord(located?.value) ? located.value : fieldByLine(front)
  const stated = Stated.safeParse(fields)
  if (!stated.success) {
    const [issue] = stated.error.issues
    return `its ${String(issue?.path[0] ?? 'fields')} does not fit: ${visible(issue?.message ?? '')}`
  }
  const { name = folderName, description } = stated.data
  if (name !== folderName || !SkillName.safeParse(name).success)
    return `its name is ${visible(name)} and its folder's ${visible(folderName)}`
  return { name, description: description.replaceAll(/\s+/g, ' '), allowedTools: stated.data['allowed-tools'], text: body.trim() }
}

/** Other tools take `description: Use when: …` for text, which to YAML is a fault. */
function fieldByLine(front: string): Record<string, string> {
  return Object.fromEntries([...front.matchAll(/^([\w-]+): *(.+)$/gm)].map(([, key = '', value = '']) => [key, value]))
}
