import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

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
export function installLine(program: string, { PATH = '' }: Readonly<Record<string, string | undefined>>): string {
  const onPath = (name: string) => PATH.split(delimiter).some((folder) => existsSync(join(folder, name)))
  const found = Object.entries(installers).find(([name]) => onPath(name))
  return found === undefined ? `install ${program} with the package manager of this machine` : `${found[1]} ${program}`
}
