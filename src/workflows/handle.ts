import { hash, randomBytes, randomInt } from 'node:crypto'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { Problem } from '../domain/problem.ts'
import type { NextAnswer } from '../domain/workflow/answer.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'

/** One call within a run. `confirmation` is the code a person passed on; `confirmed_by` is set when the host asked the person itself. */
export interface RunCall {
  run: string
  output?: string | undefined
  context?: Record<string, unknown> | undefined
  confirmation?: string | undefined
  confirmed_by?: string | undefined
}

/** An answer within a durable run, with the version it plays and the handle for the next call. */
export interface RunAnswer extends NextAnswer {
  workflow: Workflow
  run: string
  /** Whether the output of the call is in the record, by this call or by an earlier one that said the same. */
  recorded: boolean
}

/** A run and how far the caller knows it to be. Each answer carries a new one; a repeated call is known by its old one. */
export interface Handle {
  id: string
  position: number
  /** How often new context alone opened another step since the last one was done: an output says by it which of them it is for. */
  reopened: number
}

/** The id of a new run. 144 random bits: a handle is all it takes to advance a run, so it must not be guessed. */
export function newRunId(): string {
  return `wf_${randomBytes(18).toString('base64url')}`
}

/** What the caller passes back. */
export function writeHandle({ id, position, reopened }: Handle): string {
  return `${id}.${position}${reopened === 0 ? '' : `-${reopened}`}`
}

/** Reads a handle, or says what one looks like. */
export function readHandle(text: string): Handle {
  const [, id, position, reopened = '0'] = /^(wf_[A-Za-z0-9_-]{24})\.(\d{1,7})(?:-(\d{1,7}))?$/.exec(text) ?? []
  if (id !== undefined && position !== undefined) return { id, position: Number(position), reopened: Number(reopened) }
  throw new Problem('bad_input', `"${text.slice(0, 60)}" is not a valid run handle; pass on the "run" of the last answer unchanged`, {
    details: { field: 'run', got: text.slice(0, 60), expected: 'the "run" of workflow_start or of the last workflow_next' },
  })
}

/** The id of a run, from its id or any of its handles. */
export function runIdOf(named: string): string {
  return named.includes('.') ? readHandle(named).id : named
}

/** A code a person reads aloud: no letters that look alike, and used once. */
export function newCode(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** What a call says, so that the same call is known when it comes again. */
export function callHash({ output, context }: RunCall): string {
  return hashOf([output, context ?? {}])
}

export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}
