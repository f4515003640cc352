import { hash, randomUUID } from 'node:crypto'
import { closeSync, fsync, writeFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { FORMAT_VERSION, Workflow, workflowJsonSchema } from '../domain/workflow/workflow.ts'
import { openInside, readWhole } from '../sandbox/files/open-inside.ts'
import { resolveInside } from '../sandbox/files/path.ts'
import type { CatalogueEntry, CatalogueReader } from './catalogue.ts'
import { faultLine, readWorkflow } from './read.ts'

/** A workflow file as its author edits it. `version` is that of the text: who saves names the one they have read. */
export interface ProjectFile {
  name: string
  text: string
  version: string
}

const FOLDER = '.troupe/workflows'
const SCHEMA = 'workflow.schema.json'

/** A person writes here through the page; agents may not. */
const options = { allowedSecrets: [FOLDER, `.troupe/${SCHEMA}`] }

/** Reads a file of the project's own workflow folder; no other folder can be named. */
export async function readProjectFile(project: string, name: string): Promise<ProjectFile> {
  const { fd } = await openInside(project, pathOf(name), 'read', options)
  try {
    const text = (await readWhole(fd)).toString('utf8')
    return { name, text, version: hash('sha256', text) }
  } finally {
    closeSync(fd)
  }
}

/** Saves a workflow that is valid, over the version that its author has read and no other. */
export async function saveProjectFile(project: string, { name, text, version }: ProjectFile): Promise<ProjectFile> {
  const read = await readWorkflow(text, name)
  if ('faults' in read)
    throw new Problem('bad_input', `not saved: ${read.faults.slice(0, 3).map(faultLine).join(' · ')}`, { details: { faults: read.faults } })
  const now = await readProjectFile(project, name)
  if (now.version !== version)
    throw new Problem('conflict', `${name} was changed since you read it; read it again and put your change into that`, {
      details: { version: now.version },
    })
  const written = await writeNew(project, `${FOLDER}/.${name}.${randomUUID()}.part`, text)
  await rename(written, (await resolveInside(project, pathOf(name), { ...options, use: 'write' })).path)
  return { name, text, version: hash('sha256', text) }
}

/** A new file: a first draft, or a copy of a workflow that is then the author's own. It never replaces a file, and takes nobody's id. */
export async function createProjectFile(
  project: string,
  catalogue: CatalogueReader,
  id: string,
  from: Workflow | null,
): Promise<ProjectFile> {
  if (!Workflow.shape.id.safeParse(id).success)
    throw new Problem(
      'bad_input',
      `"${id.slice(0, 80)}" cannot be the id of a workflow; it takes 3 to 64 lower-case letters, digits and hyphens`,
    )
  refuseTaken(id, (await catalogue.read()).entries.get(id))
  const { $schema: _, replaces: _own, ...copied } = from ?? draftWorkflow(id)
  const text = `${JSON.stringify({ $schema: `../${SCHEMA}`, ...copied, id }, null, 2)}\n`
  const folder = await resolveInside(project, FOLDER, { ...options, use: 'write' })
  await mkdir(folder.path, { recursive: true })
  await writeSchema(project)
  await writeNew(project, `${FOLDER}/${id}.json`, text)
  return { name: `${id}.json`, text, version: hash('sha256', text) }
}

/** A first draft that is valid as it stands and shows the three texts of a step side by side. */
function draftWorkflow(id: string): Workflow {
  return {
    formatVersion: FORMAT_VERSION,
    id,
    name: id.replaceAll('-', ' '),
    description: 'What this workflow is for, in one or two sentences.',
    version: '0.1.0',
    steps: [
      {
        id: 'understand',
        title: 'Understand the task',
        prompt: 'What people read: say what is to be done in this step and what its result is.',
        agentRole: 'What only the agent reads: who to be, how to proceed, what to refrain from. Ask before you assume.',
        guidance: ['A hint that helps with this step'],
      },
      {
        id: 'carry-out',
        title: 'Carry it out',
        prompt: 'Do it, and show what came of it.',
        agentRole: 'Act as a careful craftsman. Change nothing that the task does not ask for, and show evidence for what you claim.',
        validationCriteria: [{ type: 'length', min: 20, message: 'Show what was done.' }],
      },
    ],
  }
}

function refuseTaken(id: string, entry: CatalogueEntry | undefined): void {
  if (entry === undefined) return
  const { source, file } = entry
  if (source === 'built-in') throw new Problem('conflict', `"${id}" is the id of a built-in workflow; choose another`)
  throw new Problem('conflict', `"${id}" is already the id of ${file}; edit that file, or choose another id`)
}

/** The JSON Schema lies beside the workflows, so that any editor finds it without a network. */
async function writeSchema(project: string): Promise<void> {
  const written = await writeNew(project, `${FOLDER}/.${SCHEMA}.${randomUUID()}.part`, `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`)
  await rename(written, (await resolveInside(project, `.troupe/${SCHEMA}`, { ...options, use: 'write' })).path)
}

async function writeNew(project: string, file: string, text: string): Promise<string> {
  const { fd, path } = await openInside(project, file, 'create', options)
  try {
    writeFileSync(fd, text)
    await promisify(fsync)(fd)
  } finally {
    closeSync(fd)
  }
  return path
}

function pathOf(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,100}\.(json|ya?ml)$/.test(name)) return `${FOLDER}/${name}`
  throw new Problem(
    'bad_input',
    `"${name.slice(0, 80)}" is no workflow file of the project; name one in ${FOLDER} that ends in .json or .yaml`,
  )
}
