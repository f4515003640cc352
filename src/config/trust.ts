import { Problem } from '../domain/problem.ts'
import { isWithin, narrowedPolicy, NetworkSetting, networkPolicy, settingOf } from '../domain/network/policy.ts'
import { isNoModel } from '../domain/role.ts'

/** One configured value and where it is. */
export interface ConfiguredValue {
  path: readonly string[]
  value: unknown
  /** What a person is shown: a file with its line, an environment variable, a flag. */
  source: string
}

/** Whoever can write into a repository can write its configuration, so each key says what a project may do with it. */
// oxfmt-ignore
export const projectRules: Record<string, (setting: ConfiguredValue, before: unknown) => unknown> = {
  model:                 aModel,
  approvals:             stricter,
  limits:                lower,
  'sandbox.network':     narrower,
  'sandbox.unsandboxed': onlyFalse,
}

/** Whether a project's own file may say anything about a setting. */
export function mayProjectSet(path: readonly string[]): boolean {
  return ruleFor(path) !== undefined
}

const order = ['deny', 'ask', 'allow']

/** What becomes of a project's setting, given what stood before it; widening is refused with the place where it belongs. */
export function fromProject(setting: ConfiguredValue, before: unknown, userFile: string): unknown {
  const value = ruleFor(setting.path)?.(setting, before)
  if (value !== undefined) return value
  const key = setting.path.join('.')
  throw new Problem(
    'bad_input',
    `${setting.source}: a project may not set ${key} to ${JSON.stringify(setting.value)}, because its file comes with the code and may only tighten; if you want it, put it in ${userFile}`,
    { details: { key, value: setting.value, source: setting.source } },
  )
}

function ruleFor(path: readonly string[]) {
  return projectRules[path.slice(0, 2).join('.')] ?? projectRules[path[0] ?? '']
}

/** A repository that brought its own program or script to play would be run by being cloned. */
function aModel({ value }: ConfiguredValue, before: unknown): unknown {
  return value === before || !isNoModel(String(value)) ? value : undefined
}

/** `allow` is the user's to give; of what both say the stricter counts. */
function stricter({ value }: ConfiguredValue, before: unknown): unknown {
  if (value === 'allow') return undefined
  return order.find((setting) => setting === value || setting === before)
}

/** Null means no limit, which is never tighter. */
function lower({ value }: ConfiguredValue, before: unknown): unknown {
  if (value === null) return undefined
  return typeof before === 'number' ? Math.min(before, Number(value)) : value
}

/** Everything is the user's to allow; of two lists what is in both counts. */
function narrower({ value }: ConfiguredValue, before: unknown): unknown {
  const [mine, theirs] = [before, value].map((setting) => networkPolicy(NetworkSetting.parse(setting)))
  if (mine === undefined || theirs === undefined || (theirs === 'on' && !isWithin(theirs, mine))) return undefined
  return settingOf(narrowedPolicy(mine, theirs))
}

function onlyFalse({ value }: ConfiguredValue): unknown {
  return value === false ? false : undefined
}
