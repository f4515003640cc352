import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { licensesOf } from './licenses.mjs'
import { root } from './steps.mjs'

const DAY_MS = 24 * 60 * 60 * 1000

/** The first is a program for each platform and stays where npm put it; the second is never installed, and `pg` asks for it only when told to. */
const external = ['@vscode/ripgrep', 'pg-native']

const started = new Date()
const dist = join(root, 'dist')
const bundle = await rolldown({ input: { main: join(root, 'src/main.ts') }, platform: 'node', external, plugins: [ownPlaces()] })
const { output } = await bundle.write({
  dir: dist,
  // An `import` of a module of Node's runs every getter it exports, and so loads parts of Node that nobody asked for; `require` does not.
  format: 'cjs',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: { mangle: false },
})
const moduleIds = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
writeFileSync(join(dist, 'LICENSES.md'), licensesOf(moduleIds))
const packed = ['package.json', 'LICENSES.md', ...output.map((file) => file.fileName)]
// Chunks of older bundles lie here for a day; `npm pack` takes only what is named.
writeFileSync(join(dist, '.npmignore'), ['*', ...packed.map((name) => `!${name}`), ''].join('\n'))
removeOld(['.npmignore', ...packed])
// A source saved while we built must look newer than what we built.
utimesSync(join(dist, 'main.js'), started, started)

/** In a bundle `import.meta` is the chunk's; files found relative to their source (roles, workflows) would be missed. */
function ownPlaces() {
  return {
    name: 'own-places',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.')) return null
      const place = relative(dist, id)
      return code
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
    },
  }
}

/** A server that is running may still load a chunk of the bundle it came from, so what is old goes a day later. */
function removeOld(current) {
  for (const name of readdirSync(dist)) {
    const path = join(dist, name)
    if (!current.includes(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path)
  }
}
