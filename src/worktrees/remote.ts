import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { checkBranchName, ownRef } from './branch.ts'
import { findCommit, type Repository } from './repository.ts'

/** The address a remote of this clone stands for, or null when it has no remote of that name. */
export async function remoteUrl(root: string, remote: string): Promise<string | null> {
  const found = await git(root, ['config', '--get', `remote.${remote}.url`])
  return found.exit_code === 0 ? found.stdout.trim() : null
}

/** Brings a branch of a remote here, as commits only: no branch of the user's moves. The commit it is at, or null when it is not there. */
export async function fetchBranch(repository: Repository, remote: string, branch: string): Promise<string | null> {
  await checkBranchName(repository, branch)
  const ref = `refs/heads/${branch}`
  for (let left = TRIES; left > 0; left--) {
    const listed = await reach(repository, remote, ['ls-remote', '--quiet', '--', remote, ref])
    // Git also lists every ref that merely ends like this one.
    const [commit] = listed.split('\n').flatMap((line) => (line.endsWith(`\t${ref}`) ? line.slice(0, -ref.length - 1) : []))
    if (commit === undefined) return null
    if ((await findCommit(repository.root, commit)) !== null) return commit
    await reach(repository, remote, ['fetch', ...commitsOnly, '--', remote, ref])
    if ((await findCommit(repository.root, commit)) !== null) return commit // else it moved meanwhile
  }
  throw unreachable(remote, `fetch ${branch}`, 'what it says is there never arrives')
}

const TRIES = 20

const commitsOnly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--no-recurse-submodules']

/** The branches of a remote that begin so, without what they begin with. */
export async function branchesAt(repository: Repository, remote: string, prefix: string): Promise<string[]> {
  const start = `refs/heads/${prefix}`
  const listed = await reach(repository, remote, ['ls-remote', '--quiet', '--', remote, `${start}*`])
  return listed.split('\n').flatMap((line) => {
    const ref = line.slice(line.indexOf('\t') + 1)
    return ref.startsWith(start) ? ref.slice(start.length) : []
  })
}

/**
 * Moves a branch of a remote, or removes it (`to` is null), only if it still is there where the caller saw it (null: only if
 * it does not exist). Where it stood is kept there under a ref named `keepAs`, or nothing happens.
 */
export async function pushBranch(
  repository: Repository,
  remote: string,
  branch: string,
  from: string | null,
  to: string | null,
  keepAs: string | null = null,
): Promise<'moved' | 'lost_race'> {
  await checkBranchName(repository, branch)
  const ref = `refs/heads/${branch}`
  const lease = `--force-with-lease=${ref}:${from ?? ''}`
  const kept = from === null || keepAs === null ? [] : [`${from}:${ownRef(keepAs)}`]
  const options = ['--quiet', '--no-verify', lease, ...(kept.length === 0 ? [] : ['--atomic'])]
  const pushed = await git(repository.root, ['push', ...options, '--', remote, `${to ?? ''}:${ref}`, ...kept])
  if (pushed.exit_code === 0) return 'moved'
  if ((await fetchBranch(repository, remote, branch)) !== from) return 'lost_race'
  throw unreachable(remote, `${to === null ? 'remove' : 'move'} ${branch}`, pushed.stderr)
}

async function reach({ root }: Repository, remote: string, args: readonly [string, ...string[]]): Promise<string> {
  const answer = await git(root, args)
  if (answer.exit_code === 0) return answer.stdout.trim()
  throw unreachable(remote, args[0], answer.stderr)
}

function unreachable(remote: string, what: string, said: string): Problem {
  return new Problem('busy', `git could not ${what} at the remote ${remote}: ${said.trim()}`, { details: { remote } })
}
