import type { Command } from 'commander'
import type * as z from 'zod'
import { loadConfig } from '../../config/load.ts'
import { userSkillFolders } from '../../config/wiring.ts'
import { skillOperations, type SkillContext } from '../../tools/skill-operations.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { columns } from '../terminal.ts'

/** The skills of this folder. */
const skillArea: CommandArea<SkillContext> = {
  addOptions() {},
  within: async (_options, _operation, work) => {
    const root = process.cwd()
    return work({ root, userSkills: userSkillFolders(await loadConfig({ env: process.env, cwd: root }), process.env) })
  },
}

/** `troupe skills list | show` */
export function define(skills: Command): void {
  addCommands(skills, skillOperations, skillArea, {
    'skill.list': { print: listText },
    'skill.show': {
      print: ({ text, files, folder }) => [text, '', `in ${folder}`, ...files.map((file) => `  ${file}`)].join('\n'),
    },
  })
}

function listText({ skills, refused, left }: z.output<(typeof skillOperations)[0]['output']>): string {
  const rows = skills.map(({ name, source, description }) => [name, source, description])
  return [
    skills.length === 0
      ? 'No skills here; put folders with a SKILL.md into .agents/skills or ~/.agents/skills.'
      : columns([['SKILL', 'FROM', ''], ...rows]),
    ...refused.map(({ file, fault }) => `refused: ${file}: ${fault}`),
    ...(left === 0 ? [] : [`${left} more are not looked at; 200 are the most`]),
  ].join('\n')
}
