import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isInPaths, type Bounds } from '../../domain/bounds.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { foldersBetween, topOf } from '../instructions/instructions.ts'
import { readTold } from '../instructions/told-file.ts'
import { visible } from '../fault.ts'
import { parseSkill, type Skill, type SkillFault } from './skill.ts'

/** The skills of a workspace, and folders that were meant to be some. */
export interface FoundSkills {
  skills: Skill[]
  refused: SkillFault[]
  /** How many were not even looked at, because there are too many. */
  left: number
}

/** Where a project keeps its skills, in its own folder and in those above it up to the top of its repository. */
const PROJECT_FOLDERS = ['.agents/skills', '.claude/skills']

/** Enough for everyone; whoever has ten thousand would wait for them at each start. */
const MOST_SKILLS = 200
const TEXT_CHARS = 24_000

/** The user's skills and the project's, by name. Of two with one name the user's counts, and then the one nearest to the workspace. */
export async function findSkills(
  workspace: string,
  userFolders: readonly string[],
  bounds?: Pick<Bounds, 'read_paths'>,
): Promise<FoundSkills> {
  const found: FoundSkills = { skills: [], refused: [], left: 0 }
  for (const folder of userFolders) await addFolder(found, folder, { source: 'user', within: null })
  const top = topOf(workspace)
  for (const above of foldersBetween(top, workspace).toReversed())
    for (const folder of PROJECT_FOLDERS) await addFolder(found, join(above, folder), { source: 'project', within: top })
  const isSeen = ({ folder, source }: Skill) =>
    source === 'user' || !isInside(workspace, folder) || isInPaths(relative(workspace, join(folder, 'SKILL.md')), bounds?.read_paths ?? [])
  return { ...found, skills: found.skills.filter(isSeen).toSorted((a, b) => a.name.localeCompare(b.name)) }
}

type Place = { source: Skill['source']; within: string | null }

async function addFolder(found: FoundSkills, folder: string, place: Place): Promise<void> {
  const names = (await readdir(folder).catch((): string[] => [])).toSorted() // most people have none
  for (const name of names) {
    const file = join(folder, name, 'SKILL.md')
    if (found.skills.length + found.refused.length >= MOST_SKILLS) found.left += 1
    else if (existsSync(file)) await addSkill(found, file, place)
  }
}

async function addSkill(found: FoundSkills, file: string, { source, within }: Place): Promise<void> {
  const refuse = (fault: string) => void found.refused.push({ file: visible(file), fault })
  const folder = realOf(join(file, '..'))
  const root = within === null ? folder : realOf(within)
  if (folder === null || root === null) return refuse('it cannot be read')
  if (!isInside(root, folder)) return refuse('it leads out of the project')
  const told = readTold(folder, join(folder, 'SKILL.md'), TEXT_CHARS, source === 'user')
  if (told === null) return refuse('its SKILL.md leads out of its folder, or is no file')
  const skill = await parseSkill(told.text, basename(join(file, '..')))
  if (typeof skill === 'string') return refuse(skill)
  if (found.skills.some(({ name }) => name === skill.name)) return refuse(`another skill is called ${skill.name} and counts before it`)
  found.skills.push({ ...skill, source, folder, within: root, cutBytes: told.cutBytes })
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
