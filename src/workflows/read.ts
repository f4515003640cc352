import { hash } from 'node:crypto'
import type * as z from 'zod'
import { readJson, readYaml, type Located } from '../roles/locate.ts'
import { HIDDEN_CHARACTER, type RoleFault, show, visible } from '../roles/fault.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import { expectation } from '../domain/expectation.ts'
import { parsedJson } from '../domain/json-in-text.ts'
import { isDeeper, MAX_DEPTH, quoted, valueAt } from '../domain/unknown-value.ts'
import { type Fault, workflowFaults, type WorkflowFault } from '../domain/workflow-faults.ts'
import { stepsOf, Workflow } from '../domain/workflow.ts'
import { schemaFaults } from './output-schema.ts'

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

async function wellFormed(value: unknown, roles?: KnownRoles): Promise<Workflow | undefined> {
  if (isDeeper(value) || hiddenIn(value, []) !== null) return undefined
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
  const hidden = hiddenIn(value, [])
  if (hidden !== null) {
    const problem = 'holds control or text-direction characters that people would not see'
    return [{ ...at(hidden), problem, fix: 'remove them' }]
  }
  const parsed = Workflow.safeParse(value)
  if (parsed.success)
    return (await beyondSchema(parsed.data, roles)).map(({ path, message, fix }) => ({ ...at(path), problem: message, fix }))
  return parsed.error.issues
    .flatMap((issue) => flatten(issue, value))
    .map(({ path, message, fix = 'see troupe workflow schema' }) => ({ ...at(path), problem: visible(message), fix }))
}

interface Told {
  path: readonly PropertyKey[]
  message: string
  fix?: string
}

/** A refused union says nothing by itself; what its nearest branch says is what the author needs to read. */
function flatten(issue: z.core.$ZodIssue, whole: unknown): Told[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `${show(key)} is not a field here`,
      fix: 'remove it or correct its spelling',
    }))
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [{ path: issue.path, message: misfit(issue, valueAt(whole, issue.path)) }]
  const [nearest = []] = issue.errors.toSorted((a, b) => deepest(b) - deepest(a))
  return nearest.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }, whole))
}

function misfit(issue: z.core.$ZodIssue, found: unknown): string {
  const wanted = expectation(issue, found)
  return wanted === null ? issue.message : `${found === undefined ? 'is missing' : `is ${quoted(found)}`}; expected ${wanted}`
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length))
}

function syntaxFault({ file, line, field, found, expected }: RoleFault): WorkflowFault {
  return { file, line, field, problem: found, fix: `expected ${expected}` }
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '(whole file)' : path.map(String).join('.')
}

/** A text that looks different from what it says could steer an agent past its reader, or the reader's terminal. */
function hiddenIn(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] | null {
  if (typeof value === 'string') return HIDDEN_CHARACTER.test(value.replaceAll('\r\n', '\n')) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = hiddenIn(inner, [...path, Array.isArray(value) ? Number(key) : key])
    if (found !== null) return found
  }
  return null
}
