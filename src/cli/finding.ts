import { delimiter, join } from 'node:path'
import { existsSync } from 'node:fs'
import type { Environment } from '../config/places.ts'
import { asProblem } from '../domain/problem.ts'

/** What a look at something came to; whatever is not good comes with the line that mends it. */
export type Look = { state: 'good'; found: string } | { state: 'warn' | 'bad'; found: string; fix: string }

/** One thing looked at. */
export type Finding = { what: string } & Look

/** A look that fails is itself what was found, and is mended by the line given here. */
export async function look(what: string, at: () => Promise<Look>, fix: string): Promise<Finding> {
  try {
    return { what, ...(await at()) }
  } catch (error) {
    return { what, state: 'bad', found: asProblem(error).message, fix }
  }
}

export function good(found: string): Look {
  return { state: 'good', found }
}

export function warn(found: string, fix: string): Look {
  return { state: 'warn', found, fix }
}

export function bad(found: string, fix: string): Look {
  return { state: 'bad', found, fix }
}

/** How programs are installed, by the program that does it. */
// oxfmt-ignore
const installers: Record<string, string> = {
  'apt-get': 'sudo apt-get install -y',
  dnf:       'sudo dnf install -y',
  pacman:    'sudo pacman -S',
  zypper:    'sudo zypper install',
  apk:       'sudo apk add',
  brew:      'brew install',
}

/** The line that installs a program on this machine. */
export function installLine(program: string, { PATH = '' }: Environment): string {
  const onPath = (name: string) => PATH.split(delimiter).some((folder) => existsSync(join(folder, name)))
  const found = Object.entries(installers).find(([name]) => onPath(name))
  return found === undefined ? `install ${program} with the package manager of this machine` : `${found[1]} ${program}`
}
