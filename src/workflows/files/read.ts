import { hash } from 'node:crypto'
import { readJson, readYaml, type Located } from '../../roles/locate.ts'
import { type RoleFault, visible } from '../../roles/fault.ts'
import { canonicalJson } from '../../domain/text/canonical-json.ts'
import { hiddenIn } from '../../domain/text/hidden-character.ts'
import { parsedJson } from '../../domain/text/json-in-text.ts'
import { readPlaced } from '../../domain/text/schema-error.ts'
import { isDeeper, MAX_DEPTH, isRecord } from '../../domain/text/unknown-value.ts'
import { type Fault, workflowFaults, type WorkflowFault } from '../../domain/workflow/faults.ts'
import { stepsOf, Workflow } from '../../domain/workflow/workflow.ts'
import { schemaFaults } from '../output-schema.ts'

export type ReadWorkflow = { workflow: Workflow; hash: string } | { faults: readonly WorkflowFault[] }

/** Tells the ids of the roles where a workflow would be played; asked only when one is named. */
type KnownRoles = () => Promise<readonly string[]>

/** Reads a workflow from JSON or YAML text. Lines are looked up only when something is wrong: that costs ten times the reading. */
export async function readWorkflow(written: string, file: string, roles?: KnownRoles): Promise<ReadWorkflow> {
  const text = written.replace(/^\uFEFF/, '') // some editors begin every file with a mark that JSON does not know
  const isYaml = /\.ya?ml$/i.test(file)
  const quick = isYaml ? undefined : parsedJson(text)
  const fine = quick === undefined ? undefined : await wellFormed(quick, roles)
  if (fine !== undefined) return { workflow: fine, hash: contentHash(fine) }

  const remarks: RoleFault[] = []
  const located = await (isYaml ? readYaml(text, visible(file), 1, remarks) : readJson(text, visible(file), remarks))
  if (located === undefined) return { faults: remarks.map((remark) => syntaxFault({ ...remark, field: isYaml ? 'YAML' : 'JSON' })) }
  const workflow = await wellFormed(located.value, roles)
  return workflow === undefined ? { faults: await faultsOf(located, visible(file), roles) } : { workflow, hash: contentHash(workflow) }
}

/** The hash of what a workflow says; the order of its keys and the file it came from do not matter. */
export function contentHash(workflow: Workflow): string {
  return hash('sha256', canonicalJson(workflow))
}

/** A fault as one line of text. */
export function faultLine({ file, line, field, problem, fix }: WorkflowFault): string {
  return `${file}:${line}: ${field}: ${problem}; ${fix}`
}

/** Faults, or warnings, with the lines they are on. */
export async function locateFaults(faults: readonly Fault[], text: string, file: string): Promise<WorkflowFault[]> {
  const located = await (/\.ya?ml$/i.test(file) ? readYaml(text, visible(file), 1, []) : readJson(text, visible(file), []))
  return faults.map(({ path, message, fix }) => {
    return { file: visible(file), line: located?.lineOf(path) ?? 1, field: visible(fieldOf(path)), problem: visible(message), fix }
  })
}

async function wellFormed(value: unknown, roles?: KnownRoles): Promise<Workflow | undefined> {
  if (isDeeper(value) || hiddenIn(value) !== null) return undefined
  const parsed = Workflow.safeParse(value)
  return parsed.success && (await beyondSchema(parsed.data, roles)).length === 0 ? parsed.data : undefined
}

async function beyondSchema(workflow: Workflow, roles?: KnownRoles): Promise<Fault[]> {
  const known = roles !== undefined && stepsOf(workflow).some(({ role }) => role !== undefined) ? await roles() : null
  return [...workflowFaults(workflow, known), ...(await schemaFaults(workflow))]
}

async function faultsOf({ value, lineOf }: Located, file: string, roles?: KnownRoles): Promise<WorkflowFault[]> {
  const at = (path: readonly PropertyKey[]) => ({ file, line: lineOf(path), field: visible(fieldOf(path)) })
  if (isDeeper(value)) return [{ ...at([]), line: 1, problem: `nested deeper than ${MAX_DEPTH} levels`, fix: 'flatten it' }]
  const hidden = hiddenIn(value)
  if (hidden !== null) {
    const problem = 'holds control or text-direction characters that people would not see'
    return [{ ...at(hidden), problem, fix: 'remove them' }]
  }
  const read = readPlaced(Workflow, value)
  if ('value' in read)
    return (await beyondSchema(read.value, roles)).map(({ path, message, fix }) => ({ ...at(path), problem: message, fix }))
  const foreign = foreignFormat(value)
  if (foreign !== null) {
    const problem = `this is ${foreign.name} (it has ${foreign.fields.join(', ')}), a format Troupe does not read`
    return [{ ...at([]), line: 1, problem, fix: 'write each step with a title and a prompt, as the schema of workflow files shows' }]
  }
  return read.misfits.map(({ path, message, meant }) => {
    const fix = meant === null ? 'see the schema of workflow files' : `did you mean ${meant}?`
    return { ...at(path), problem: visible(message), fix }
  })
}

function syntaxFault({ file, line, field, found, expected }: RoleFault): WorkflowFault {
  return { file, line, field, problem: found, fix: `expected ${expected}` }
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '(whole file)' : path.map(String).join('.')
}

/** Formats of others that look like ours, and the fields by which each is known. */
const formats: readonly { name: string; top: readonly string[]; step: readonly string[] }[] = [
  {
    name: 'a WorkRail v2 workflow',
    top: [
      'features',
      'assessments',
      'extensionPoints',
      'references',
      'recommendedPreferences',
      'validatedAgainstSpecVersion',
      'metricsProfile',
      'modelTier',
      'about',
      'examples',
    ],
    step: [
      'promptBlocks',
      'promptFragments',
      'templateCall',
      'outputContract',
      'assessmentRefs',
      'conditionSource',
      'delegations',
      'notesOptional',
    ],
  },
  { name: 'a GitHub Actions workflow', top: ['jobs'], step: ['uses'] },
  { name: 'an n8n workflow', top: ['nodes', 'connections'], step: [] },
]

/** The format a document is of, and the fields that show it, where it is one of others that we do not read. */
function foreignFormat(value: unknown): { name: string; fields: readonly string[] } | null {
  if (!isRecord(value)) return null
  const steps = fieldsOfSteps(value['steps'])
  for (const { name, top, step } of formats) {
    const fields = [...top.filter((field) => field in value), ...step.filter((field) => steps.has(field))]
    if (fields.length > 0) return { name, fields }
  }
  const { id } = value
  return typeof id === 'string' && id.startsWith('wr.') ? { name: formats[0]?.name ?? '', fields: ['id'] } : null
}

/** The names of the fields of all steps, with those inside loops. */
function fieldsOfSteps(steps: unknown): Set<string> {
  if (!Array.isArray(steps)) return new Set()
  const fields = steps
    .filter(isRecord)
    .flatMap((step) => [...Object.keys(step), ...(isRecord(step['loop']) ? Object.keys(step['loop']) : []), ...fieldsOfSteps(step['body'])])
  return new Set(fields)
}
