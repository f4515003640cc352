import { readPlainText } from './files/plain-text.ts'
import { shellWord } from './process/shell-word.ts'

/** Where Ubuntu says whether a program needs a profile to make namespaces. */
const SWITCH = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** The switch for the whole machine. It lifts a protection for every program, and only until the next start. */
const forEveryProgram = 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'

/** Whether AppArmor keeps programs without a profile from making namespaces. */
export function isRestricted(file = SWITCH): boolean {
  return readPlainText(file).trim() === '1'
}

/** A profile that allows namespaces to one program, and confines it no further; null where its path cannot be written in one. */
export function apparmorProfile(program: string): string | null {
  if (!/^\/[^"\\*?[\]{}^@\n]*$/.test(program)) return null // what is not taken literally could name other programs too
  return [
    'abi <abi/4.0>,',
    'include <tunables/global>',
    '',
    `profile troupe-sandbox "${program}" flags=(unconfined) {`,
    '  userns,',
    '  include if exists <local/troupe-sandbox>',
    '}',
  ].join('\n')
}

/** The line that allows namespaces to one program alone; where that cannot be said, the one for the whole machine. */
export function apparmorFix(program: string): string {
  const profile = apparmorProfile(program)
  if (profile === null) return forEveryProgram
  const file = '/etc/apparmor.d/troupe-sandbox'
  const install = `printf '%s\\n' ${profile.split('\n').map(shellWord).join(' ')} | sudo tee ${file} && sudo apparmor_parser -r ${file}`
  return `${install}   # or, for every program and until the next start: ${forEveryProgram}`
}
