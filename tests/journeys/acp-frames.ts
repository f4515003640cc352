import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isRecord } from '../../src/domain/text/unknown-value.ts'

const file = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json')
const schema: { $defs: Record<string, { 'x-method'?: string }> } = JSON.parse(readFileSync(file, 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'acp')

/** The published schema of a method's parameters or of its result; undefined for methods the protocol does not name. */
function schemaOf(method: string, kind: 'Request' | 'Response' | 'Notification'): ValidateFunction | undefined {
  const name = Object.keys(schema.$defs).find((each) => each.endsWith(kind) && schema.$defs[each]?.['x-method'] === method)
  return name === undefined ? undefined : ajv.getSchema(`acp#/$defs/${name}`)
}

/** Looks at every frame either way; `faults` lists those that are not as the published schemas want them. */
export function frameCheck() {
  const faults: string[] = []
  const asked = new Map<string, string>() // whose request, by direction and id

  function look(frame: unknown, from: 'client' | 'agent'): void {
    if (!isRecord(frame)) return
    const { method, id, params, result } = frame
    if (typeof method === 'string') {
      if (id !== undefined) asked.set(`${from} ${JSON.stringify(id)}`, method)
      return judge(schemaOf(method, id === undefined ? 'Notification' : 'Request'), params, `${from}: ${method}`)
    }
    const answered = asked.get(`${from === 'client' ? 'agent' : 'client'} ${JSON.stringify(id)}`)
    if (answered !== undefined && 'result' in frame) judge(schemaOf(answered, 'Response'), result, `${from}: answer to ${answered}`)
  }

  function judge(fits: ValidateFunction | undefined, value: unknown, what: string): void {
    if (fits === undefined || fits(value)) return
    faults.push(`${what} ${ajv.errorsText(fits.errors)}: ${JSON.stringify(value)}`)
  }

  return { look, assertValid: () => assert.deepEqual(faults, []) }
}
