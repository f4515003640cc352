import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The licences of what went into a bundle, in one text: whoever passes their work on has to pass these on with it. */
export function licensesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []))
  return [...folders].map(notice).toSorted().join('\n')
}

/** The package a module was read from; null for a module of our own. */
function packageFolder(id) {
  const at = id.lastIndexOf('/node_modules/')
  if (at === -1) return null
  for (let folder = dirname(id); folder.length > at + '/node_modules'.length; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return folder
  }
  return null
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `## ${name} ${version} (${license})\n${text}`
}
