import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './repository.ts'

/** For tests: a repository that names a filter which holds in worktrees alone. Gives the file that is there once it has run. */
export async function nameFilterForWorktrees({ commonDir }: Repository): Promise<string> {
  const ran = join(commonDir, 'ran')
  await mkdir(join(commonDir, 'info'), { recursive: true })
  await writeFile(join(commonDir, 'info/attributes'), '* filter=evil merge=evil\n')
  const program = `"touch ${ran}; cat"`
  await writeFile(
    join(commonDir, 'more'),
    `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n[merge "evil"]\n\tdriver = ${program}\n`,
  )
  await appendFile(join(commonDir, 'config'), '[includeIf "gitdir:**/worktrees/**"]\n\tpath = more\n')
  return ran
}
