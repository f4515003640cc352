import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOf } from '../files/kind-of.ts'
import { readPlainText } from '../files/plain-text.ts'
import { findProgram, launcherEnvironment } from '../process/program.ts'
import { runProcess } from '../process/run-process.ts'
import { words } from '../process/word-list.ts'

/** Settings that start no program and lead git nowhere else. Everything that is not here may. */
const harmless = new Set(words`
  core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks
  core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.sparsecheckout core.sparsecheckoutcone core.untrackedcache
  extensions.objectformat extensions.worktreeconfig extensions.refstorage extensions.partialclone extensions.preciousobjects
  remote.*.url remote.*.pushurl remote.*.fetch remote.*.push remote.*.tagopt remote.*.prune remote.*.mirror remote.*.promisor
  remote.*.partialclonefilter branch.*.remote branch.*.pushremote branch.*.merge branch.*.rebase branch.*.description
  branch.*.vscode-merge-base branch.*.github-pr-owner-number submodule.*.url submodule.*.active submodule.*.branch submodule.active
  user.name user.email init.defaultbranch pull.rebase pull.ff push.default push.autosetupremote fetch.prune merge.conflictstyle
  rerere.enabled rebase.autostash rebase.autosquash gc.auto maintenance.auto commit.gpgsign tag.gpgsign
`)

/** Appended to the name of what was taken out of force: nothing is lost, and a person may put it back. */
const SET_ASIDE = '.set-aside'

/** The settings in a text that may start a program, as `name=value`; null where git cannot read it. */
export async function riskySettings(text: string): Promise<string[] | null> {
  const entries = await settingsIn(text)
  return entries?.filter(([name]) => !isHarmless(name)).map(([name, value]) => `${name}=${value}`) ?? null
}

/** Takes out of force what a command wrote into a repository of its own and git would run; what was taken out is named. */
export async function disarm(gitFolder: string): Promise<string[]> {
  const settings = ['config', 'config.worktree'].map((name) => join(gitFolder, name))
  const hooks = join(gitFolder, 'hooks')
  const redirect = join(gitFolder, 'commondir')
  const changed = await Promise.all(settings.map(disarmSettings))
  const hasHooks = kindOf(hooks) === 'link' || (await readdir(hooks).catch(() => [])).some((name) => !name.endsWith('.sample'))
  const taken = [...(hasHooks ? [hooks] : []), ...(kindOf(redirect) === 'none' ? [] : [redirect])]
  for (const path of taken) await setAside(path)
  return [...settings.filter((_, at) => changed[at]), ...taken]
}

/** Moves something to a name where nobody looks for it. */
export async function setAside(path: string): Promise<void> {
  await rm(path + SET_ASIDE, { recursive: true, force: true })
  await rename(path, path + SET_ASIDE)
}

async function disarmSettings(file: string): Promise<boolean> {
  if (kindOf(file) === 'none') return false
  const entries = kindOf(file) === 'file' ? await settingsIn(readPlainText(file)) : null
  if (entries?.every(([name]) => isHarmless(name)) === true) return false
  await setAside(file)
  await writeFile(
    file,
    (entries ?? [])
      .filter(([name]) => isHarmless(name))
      .map(asText)
      .join(''),
  )
  return true
}

async function settingsIn(text: string): Promise<[name: string, value: string][] | null> {
  const argv = [findProgram('git') ?? 'git', 'config', '--file', '-', '--no-includes', '--null', '--list'] as const
  const env = { ...launcherEnvironment, GIT_CONFIG_NOSYSTEM: '1' }
  const { exit_code, stdout, cut_bytes } = await runProcess(argv, { env, cwd: '/', stdin: text })
  if (exit_code !== 0 || cut_bytes > 0 || stdout.includes('\ufffd')) return null
  const entries = stdout.split('\0').filter((entry) => entry !== '')
  return entries.map((entry) => {
    const [name = '', ...value] = entry.split('\n')
    return [name, value.join('\n')]
  })
}

/** The name between the first and the last dot may be anything. */
function isHarmless(name: string): boolean {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  const general = first === last ? name : `${name.slice(0, first)}.*${name.slice(last)}`
  return harmless.has(general)
}

function asText([name, value]: readonly [string, string]): string {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  const middle = first === last ? '' : ` "${escaped(name.slice(first + 1, last))}"`
  return `[${name.slice(0, first)}${middle}]\n\t${name.slice(last + 1)} = "${escaped(value).replaceAll('\n', String.raw`\n`)}"\n`
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/g, String.raw`\$&`)
}
