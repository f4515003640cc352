import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { counted } from '../domain/text/format.ts'
import { findSkills } from '../roles/skills/find.ts'
import type { Skill } from '../roles/skills/skill.ts'
import { filesIn } from '../roles/skills/told.ts'
import { needSkill } from './read-skill.ts'

/** Where skills are looked for. */
export interface SkillContext {
  root: string
  userSkills?: readonly string[]
}

const SkillView = z.object({
  name: z.string(),
  description: z.string(),
  source: z.enum(['user', 'project']),
  folder: z.string(),
  allowed_tools: z.array(z.string()).describe('the tools it says it needs; it gives none'),
})

const listSkills = defineOperation({
  name: 'skill.list',
  summary: 'List the skills agents can read in this folder, and those that are refused',
  by: ['person'],
  effect: 'read',
  command: 'skills list',
  input: z.strictObject({}),
  output: z.object({
    skills: z.array(SkillView),
    refused: z.array(z.object({ file: z.string(), fault: z.string() })),
    left: z.int().describe('how many were not looked at because there are too many'),
  }),
  example: {},
  tell: ({ skills }) => counted(skills.length, 'skill'),
  run: async ({ root, userSkills = [] }: SkillContext) => {
    const { skills, refused, left } = await findSkills(root, userSkills)
    return { skills: skills.map(viewOf), refused, left }
  },
})

const showSkill = defineOperation({
  name: 'skill.show',
  summary: 'Show one skill as an agent reads it, and its further files',
  by: ['person'],
  effect: 'read',
  command: 'skills show <skill>',
  input: z.strictObject({ skill: z.string().min(1).describe('the name of a skill') }),
  output: SkillView.extend({ text: z.string(), cut_bytes: z.int(), files: z.array(z.string()) }),
  example: { skill: 'pdf-forms' },
  tell: ({ text }) => text,
  run: async ({ root, userSkills = [] }: SkillContext, { skill: name }) => {
    const skill = needSkill((await findSkills(root, userSkills)).skills, name)
    return { ...viewOf(skill), text: skill.text, cut_bytes: skill.cutBytes, files: filesIn(skill.folder) }
  },
})

/** What can be looked up about skills. */
export const skillOperations = [listSkills, showSkill] as const

function viewOf({ name, description, source, folder, allowedTools }: Skill): z.infer<typeof SkillView> {
  return { name, description, source, folder, allowed_tools: allowedTools }
}
