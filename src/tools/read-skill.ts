import * as z from 'zod'
import { closest } from '../domain/text/closest.ts'
import { Problem } from '../domain/problem.ts'
import type { Skill } from '../roles/skills/skill.ts'
import { skillFile, skillList, skillText } from '../roles/skills/told.ts'
import { defineTool } from './gate.ts'
import type { Tool } from './tool.ts'

/** Reads one of the skills that a run found where it works. There is no such tool where there is no skill. */
export function readSkillTool(skills: readonly Skill[]): Tool {
  return defineTool({
    name: 'read_skill',
    description: 'Read a skill, or with path one further file of it.',
    required_permissions: ['read_files'],
    input: z.strictObject({ name: z.string().optional(), path: z.string().min(1).optional() }),
    run: async ({ name, path }) => {
      if (name === undefined) return { output: skillList(skills) }
      const skill = needSkill(skills, name)
      const output = path === undefined || path === 'SKILL.md' ? skillText(skill) : skillFile(skill, path)
      return { output, details: { skill: name, folder: skill.folder } }
    },
  })
}

/** The skill, or a refusal that names the nearest one. */
export function needSkill(skills: readonly Skill[], name: string): Skill {
  const skill = skills.find((each) => each.name === name)
  if (skill !== undefined) return skill
  const names = skills.map((each) => each.name)
  const near = closest(name, names)
  const right = near === null ? `the skills are ${names.slice(0, 50).join(', ') || 'none'}` : `did you mean ${near}?`
  throw new Problem('not_found', `there is no skill ${JSON.stringify(name.slice(0, 100))}; ${right}`)
}
