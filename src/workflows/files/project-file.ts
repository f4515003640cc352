import { hash, randomUUID } from 'node:crypto'
import { closeSync, fsync, writeFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { FORMAT_VERSION, Workflow, workflowJsonSchema } from '../../domain/workflow/workflow.ts'
import { openInside, readWhole } from '../../sandbox/files/open-inside.ts'
import { resolveInside } from '../../sandbox/files/path.ts'
import type { CatalogueEntry } from './catalogue.ts'
import type { WorkflowContext } from '../context.ts'
import { faultLine, readWorkflow } from './read.ts'
import { WorkflowId } from '../show.ts'

/** A workflow file as its author edits it. `version` is that of the text: who saves names the one they have read. */
type ProjectFile = z.infer<typeof ProjectFile>
const ProjectFile = z.strictObject({
  name: z.string().describe('the name of a file in .troupe/workflows'),
  text: z.string().max(1_048_576),
  version: z.string(),
})

const FOLDER = '.troupe/workflows'
const SCHEMA = 'workflow.schema.json'

/** A person writes here through the page; agents may not. */
const options = { allowedSecrets: [FOLDER, `.troupe/${SCHEMA}`] }

const inEditor = { cli: 'at a terminal a file is opened in an editor' }
const writes = { dry_run: 'it writes a file, which no transaction takes back' }
const example = { name: 'my-workflow.json', text: '{"id": "my-workflow", "name": …}', version: 'the version that was read' }

/** Reads a file of the project's own workflow folder; no other folder can be named. */
export const readProjectFile = defineOperation({
  name: 'workflow.read_file',
  summary: 'For its author: a workflow file of the project',
  by: ['person'],
  effect: 'read',
  absent: inEditor,
  input: ProjectFile.pick({ name: true }),
  output: ProjectFile,
  example: { name: example.name },
  tell: ({ text }) => text,
  run: ({ project }: WorkflowContext, { name }) => readFileOf(project, name),
})

/** Saves a workflow that is valid, over the version that its author has read and no other. */
export const saveProjectFile = defineOperation({
  name: 'workflow.save_file',
  summary: 'Save a valid workflow file over the version that was read',
  by: ['person'],
  effect: 'change',
  absent: { ...inEditor, ...writes },
  input: ProjectFile,
  output: ProjectFile,
  example,
  tell: ({ name }) => `Saved: ${FOLDER}/${name}`,
  run: async ({ project, roles }: WorkflowContext, { name, text, version }) => {
    const read = await readWorkflow(text, name, roles)
    if ('faults' in read)
      throw new Problem('bad_input', `not saved: ${read.faults.slice(0, 3).map(faultLine).join(' · ')}`, {
        details: { faults: read.faults },
      })
    const now = await readFileOf(project, name)
    if (now.version !== version)
      throw new Problem('conflict', `${name} was changed since you read it; read it again and put your change into that`, {
        details: { version: now.version },
      })
    const part = await writeNew(project, `${FOLDER}/.${name}.${randomUUID()}.part`, text)
    await rename(part, (await resolveInside(project, pathOf(name), { ...options, use: 'write' })).path)
    return { name, text, version: hash('sha256', text) }
  },
})

/** A new file: a first draft, or a copy of a workflow that is then the author's own. It never replaces a file, and takes nobody's id. */
export const createProjectFile = defineOperation({
  name: 'workflow.create',
  summary: 'Write a new workflow file of the project: a first draft, or a copy of another workflow',
  by: ['person'],
  effect: 'change',
  command: 'workflow new <id>',
  absent: writes,
  input: z.strictObject({
    id: Workflow.shape.id.describe('3 to 64 lower-case letters, digits and hyphens'),
    from: WorkflowId.optional().describe('the id of the workflow to copy'),
  }),
  output: ProjectFile,
  example: { id: 'my-workflow' },
  tell: ({ name }) => `Written: ${FOLDER}/${name}`,
  run: async ({ project, catalogue }: WorkflowContext, { id, from }) => {
    const copied = from === undefined ? draftWorkflow(id) : (await catalogue.find(from)).workflow
    refuseTaken(id, (await catalogue.read()).entries.get(id))
    const { $schema: _, replaces: _own, ...content } = copied
    const text = `${JSON.stringify({ $schema: `../${SCHEMA}`, ...content, id }, null, 2)}\n`
    const folder = await resolveInside(project, FOLDER, { ...options, use: 'write' })
    await mkdir(folder.path, { recursive: true })
    await writeSchema(project)
    await writeNew(project, `${FOLDER}/${id}.json`, text)
    return { name: `${id}.json`, text, version: hash('sha256', text) }
  },
})

async function readFileOf(project: string, name: string): Promise<ProjectFile> {
  const { fd } = await openInside(project, pathOf(name), 'read', options)
  try {
    const text = (await readWhole(fd)).toString('utf8')
    return { name, text, version: hash('sha256', text) }
  } finally {
    closeSync(fd)
  }
}

/** A first draft that is valid as it is and shows the three texts of a step side by side. */
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
        prompt: 'What people read: what to do in this step and what its result is.',
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

/** The JSON Schema is beside the workflows, so that any editor finds it without a network. */
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
    `"${name.slice(0, 80)}" is not a workflow file of the project; name one in ${FOLDER} that ends in .json or .yaml`,
  )
}
