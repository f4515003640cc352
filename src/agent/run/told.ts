import { join } from 'node:path'
import { boundsOf, narrowedBounds } from '../../domain/bounds.ts'
import type { Role } from '../../domain/role.ts'
import type { Run } from '../../domain/run.ts'
import { instructionsFor, instructionsLine, instructionsText } from '../../roles/instructions/instructions.ts'
import type { PromptParts } from '../../roles/prompt.ts'
import { findSkills } from '../../roles/skills/find.ts'
import { skillsSection } from '../../roles/skills/told.ts'
import { readSkillTool } from '../../tools/read-skill.ts'
import type { Tool } from '../../tools/tool.ts'
import type { AgentContext } from '../agent.ts'

/** What the files of a workspace and of the user tell an agent beside its role. */
export interface Told {
  sections: NonNullable<PromptParts['sections']>
  /** The files whose text is in the prompt. */
  files: string[]
  /** What a person is told of it. */
  notices: string[]
  /** What the agent reads the rest with; nothing where there is nothing to read. */
  tools: Tool[]
  /** Folders with scripts that its commands may read. */
  skillFolders: string[]
}

/** Reads what an agent is told where it works. */
export async function toldTo(
  { userInstructions, userSkills }: Pick<AgentContext, 'userInstructions' | 'userSkills'>,
  role: Role,
  { workspace, bounds }: Pick<Run, 'workspace' | 'bounds'>,
): Promise<Told> {
  const reach = narrowedBounds(bounds, boundsOf(role))
  const instructions = instructionsFor(workspace, userInstructions ?? null)
  const found = role.permissions.includes('read_files') ? await findSkills(workspace, userSkills ?? [], reach) : null
  const { skills = [] } = found ?? {}
  const preloaded = skills.filter(({ name }) => role.skills.includes(name))
  const missing = role.skills.filter((name) => !preloaded.some((skill) => skill.name === name))
  const others = skills.length - preloaded.length
  const skillWords = [...preloaded.map(({ name }) => `${name} is preloaded`), ...(others === 0 ? [] : [`${others} can be read`])]
  return {
    sections: { project: instructionsText(instructions), skills: skillsSection(skills, preloaded) },
    files: [...instructions.map(({ file }) => file), ...preloaded.map(({ folder }) => join(folder, 'SKILL.md'))],
    notices: [
      ...(instructions.length === 0 ? [] : [`Instructions: ${instructionsLine(instructions)}`]),
      ...(skillWords.length === 0 ? [] : [`Skills: ${skillWords.join(', ')}`]),
      ...missing.map((name) => `${role.name} names the skill ${name}, which is not here`),
    ],
    tools: skills.length === 0 ? [] : [readSkillTool(skills)],
    skillFolders: [...new Set(skills.map(({ folder }) => folder))],
  }
}
