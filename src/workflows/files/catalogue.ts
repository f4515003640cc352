import { readFileSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { closest } from '../../domain/text/closest.ts'
import { counted } from '../../domain/text/format.ts'
import { messageOf, Problem, systemCode } from '../../domain/problem.ts'
import type { WorkflowFault } from '../../domain/workflow/faults.ts'
import type { Workflow } from '../../domain/workflow/workflow.ts'
import { ownFolders } from '../../sandbox/files/xdg.ts'
import { watchFolder, type WorkflowFile, type WorkflowFolder, type WorkflowSource } from './folder.ts'
import { faultLine, type ReadWorkflow, readWorkflow } from './read.ts'

/** A workflow that can be played, with where it came from and what it is in front of. */
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
  /** The workflow of an id, or a refusal that names the nearest one and, where there is one, the file that was refused. */
  find(id: string): Promise<CatalogueEntry>
}

/** Calls that follow each other within this time look only at the file they need: what may come in front of it is seen by the next. */
const HURRY_MS = 2

/** Where workflows are looked for, weakest first: a later folder wins over an earlier one. */
export function workflowFolders(project: string, env: Readonly<Record<string, string | undefined>> = process.env): WorkflowFolder[] {
  const listed = (env['TROUPE_WORKFLOW_PATH'] ?? '').split(delimiter).filter((dir) => dir !== '')
  return [
    { source: 'built-in', dir: join(import.meta.dirname, '../../../workflows') },
    { source: 'user', dir: join(ownFolders(env).config, 'workflows') },
    { source: 'project', dir: join(project, '.troupe', 'workflows') },
    ...listed.map((dir): WorkflowFolder => ({ source: 'path', dir: resolve(project, dir) })),
  ]
}

/** Reads the folders, and again whenever a file in them has changed: an author sees an edit with the next call. */
export function openCatalogue(folders: readonly WorkflowFolder[]): CatalogueReader {
  const watched = folders.map(watchFolder)
  const cache = new Map<string, { version: number; read: ReadWorkflow }>()
  let last: Promise<Catalogue> | undefined
  let lookedAt = 0

  function read(): Promise<Catalogue> {
    lookedAt = performance.now()
    // Every folder is looked at: what one has seen it does not tell again.
    const changed = watched.filter((folder) => folder.look()).length > 0
    if (changed || last === undefined) last = readAll()
    return last
  }

  async function find(id: string): Promise<CatalogueEntry> {
    const entry = performance.now() - lookedAt < HURRY_MS ? (await last)?.entries.get(id) : undefined
    if (entry !== undefined && watched.some((folder) => folder.isUntouched(entry.file))) return entry
    return findIn(await read(), id)
  }

  async function readAll(): Promise<Catalogue> {
    const found: Found[] = []
    for (const file of watched.flatMap((folder) => folder.files())) found.push({ ...file, read: await readCached(file) })
    return assemble(found)
  }

  async function readCached({ path, version, refused }: WorkflowFile): Promise<ReadWorkflow> {
    if (refused !== null) return { faults: [{ file: path, line: 1, field: '(whole file)', ...refused }] }
    const had = cache.get(path)
    if (had?.version === version) return had.read
    const text = textOf(path)
    const fresh = typeof text === 'string' ? await readWorkflow(text, path) : { faults: [text] }
    cache.set(path, { version, read: fresh })
    return fresh
  }

  return { read, find }
}

/** One file that cannot be read must not keep all the others from being found. */
function textOf(path: string): string | WorkflowFault {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const problem = `cannot be read (${systemCode(error) ?? messageOf(error)})`
    return { file: path, line: 1, field: '(whole file)', problem, fix: 'make it readable, or take it away' }
  }
}

function findIn({ entries, refused }: Catalogue, id: string): CatalogueEntry {
  const entry = entries.get(id)
  if (entry !== undefined) return entry
  const nearest = closest(id, entries.keys())
  const broken = [...Map.groupBy(refused, ({ file }) => file)].flatMap(([file, faults]) =>
    basename(file).includes(id) ? refusalOf(faults) : [],
  )
  const hint = nearest === null ? `known: ${[...entries.keys()].join(', ')}` : `did you mean ${nearest}?`
  throw new Problem('not_found', [`there is no workflow "${id.slice(0, 100)}"; ${hint}`, ...broken].join('; '), {
    details: { field: 'workflowId', got: id.slice(0, 200), expected: 'an id of workflow_list', closest: nearest },
  })
}

/** The first fault of a file and how many there are beside it: whoever wants all of them validates it. */
function refusalOf([first, ...others]: readonly WorkflowFault[]): string[] {
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more fault')})`
  return [`a file was refused: ${faultLine(first)}${more}`]
}

interface Found extends WorkflowFile {
  read: ReadWorkflow
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
    const shadows = before === undefined ? [] : [...before.shadows, { source: before.source, file: before.file }]
    const clash = before === undefined ? null : clashWith(before, source, workflow)
    if (clash !== null) refused.push({ file, line: 1, field: 'id', ...clash })
    else entries.set(workflow.id, { workflow, hash, source, file, shadows })
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
