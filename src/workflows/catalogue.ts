import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { closest } from '../domain/closest.ts'
import { Problem } from '../domain/problem.ts'
import type { Workflow } from '../domain/workflow.ts'
import { type ReadWorkflow, readWorkflow, type WorkflowFault } from './read.ts'

export type WorkflowSource = 'built-in' | 'user' | 'project' | 'path'

export interface WorkflowFolder {
  source: WorkflowSource
  dir: string
}

/** A workflow that can be played, with where it came from and what it stands in front of. */
export interface CatalogueEntry {
  workflow: Workflow
  hash: string
  source: WorkflowSource
  file: string
  shadows: readonly { source: WorkflowSource; file: string }[]
}

/** Everything that was found: what can be played, and what was refused and why. */
export interface Catalogue {
  entries: ReadonlyMap<string, CatalogueEntry>
  refused: readonly WorkflowFault[]
}

export interface CatalogueReader {
  read(): Promise<Catalogue>
}

/** A file of a megabyte is no workflow. */
const MAX_BYTES = 1024 * 1024

/** Where workflows are looked for, weakest first: a later folder wins over an earlier one. */
export function workflowFolders(project: string, env: Readonly<Record<string, string | undefined>> = process.env): WorkflowFolder[] {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  const listed = (env['TROUPE_WORKFLOW_PATH'] ?? '').split(delimiter).filter((dir) => dir !== '')
  return [
    { source: 'built-in', dir: join(import.meta.dirname, '..', '..', 'workflows') },
    { source: 'user', dir: join(config, 'troupe', 'workflows') },
    { source: 'project', dir: join(project, '.troupe', 'workflows') },
    ...listed.map((dir): WorkflowFolder => ({ source: 'path', dir: resolve(project, dir) })),
  ]
}

/** Reads the folders, and again whenever a file in them has changed: an author sees an edit with the next call. */
export function openCatalogue(folders: readonly WorkflowFolder[]): CatalogueReader {
  const cache = new Map<string, { stamp: string; read: ReadWorkflow }>()
  let last: { stamp: string; catalogue: Catalogue } | undefined

  async function read(): Promise<Catalogue> {
    const files = folders.flatMap(filesIn)
    const stamp = files.map((file) => `${file.path}\0${file.stamp}`).join('\n')
    if (last?.stamp === stamp) return last.catalogue
    const results: Found[] = []
    for (const file of files) results.push({ ...file, read: await readCached(file) })
    last = { stamp, catalogue: assemble(results) }
    return last.catalogue
  }

  async function readCached({ path, stamp, refused }: File): Promise<ReadWorkflow> {
    if (refused !== null) return { faults: [{ file: path, line: 1, field: '(whole file)', ...refused }] }
    const had = cache.get(path)
    if (had?.stamp === stamp) return had.read
    const fresh = await readWorkflow(readFileSync(path, 'utf8'), path)
    cache.set(path, { stamp, read: fresh })
    return fresh
  }

  return { read }
}

/** The workflow of an id, or a refusal that names the nearest one and, where there is one, the file that was refused. */
export function findWorkflow({ entries, refused }: Catalogue, id: string): CatalogueEntry {
  const entry = entries.get(id)
  if (entry !== undefined) return entry
  const nearest = closest(id, entries.keys())
  const broken = refused
    .filter((fault) => fault.file.includes(id))
    .map((fault) => `${fault.file}:${fault.line} was refused: ${fault.problem}`)
  const hint = nearest === null ? `known: ${[...entries.keys()].join(', ')}` : `did you mean ${nearest}?`
  throw new Problem('not_found', [`there is no workflow "${id.slice(0, 100)}"; ${hint}`, ...broken].join('; '), {
    details: { field: 'workflowId', got: id.slice(0, 200), expected: 'an id of workflow_list', closest: nearest },
  })
}

interface File extends WorkflowFolder {
  path: string
  stamp: string
  refused: { problem: string; fix: string } | null
}

interface Found extends File {
  read: ReadWorkflow
}

function filesIn(folder: WorkflowFolder): File[] {
  return namesIn(folder.dir)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .toSorted()
    .map((name) => fileAt(folder, join(folder.dir, name)))
}

/** A cloned project must not make us read, and quote in an error, a file it merely points to. */
function fileAt(folder: WorkflowFolder, path: string): File {
  const info = (folder.source === 'project' ? lstatSync : statSync)(path, { throwIfNoEntry: false })
  const stamp = info === undefined ? 'gone' : `${info.mtimeMs} ${info.ctimeMs} ${info.size} ${info.ino}`
  if (info === undefined || !info.isFile())
    return { ...folder, path, stamp, refused: { problem: 'not a regular file', fix: 'put the file itself here' } }
  const refused = info.size > MAX_BYTES ? { problem: `${info.size} bytes`, fix: `at most ${MAX_BYTES} bytes` } : null
  return { ...folder, path, stamp, refused }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return [] // no such folder holds no workflows
  }
}

function assemble(files: readonly Found[]): Catalogue {
  const entries = new Map<string, CatalogueEntry>()
  const refused: WorkflowFault[] = []
  for (const { path: file, source, read } of files) {
    if ('faults' in read) {
      refused.push(...read.faults)
      continue
    }
    const { workflow, hash } = read
    const before = entries.get(workflow.id)
    const clash = before === undefined ? null : clashWith(before, source, workflow)
    if (clash !== null) refused.push({ file, line: 1, field: 'id', ...clash })
    else entries.set(workflow.id, { workflow, hash, source, file, shadows: before === undefined ? [] : [...before.shadows, pick(before)] })
  }
  return { entries, refused }
}

/** A checked-out project must not silently change what a well-known workflow tells the agent to do. */
function clashWith(before: CatalogueEntry, source: WorkflowSource, workflow: Workflow): { problem: string; fix: string } | null {
  if (before.source === source) return { problem: `"${workflow.id}" is also the id of ${before.file}`, fix: 'give one of them another id' }
  const builtIn = [before, ...before.shadows].some((shadowed) => shadowed.source === 'built-in')
  if (source !== 'project' || !builtIn || workflow.replaces === 'built-in') return null
  return { problem: `"${workflow.id}" is a built-in workflow`, fix: 'choose another id, or say "replaces": "built-in"' }
}

function pick({ source, file }: CatalogueEntry): { source: WorkflowSource; file: string } {
  return { source, file }
}
