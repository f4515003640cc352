import { messageOf } from '../domain/problem.ts'
import { type Fault, schemasIn } from '../domain/workflow/faults.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'
import { withinTime } from './play/within-time.ts'

/** Makes a judge of a JSON Schema: it says what does not fit, or nothing. It throws where the schema cannot be used. */
export type CompileSchema = (schema: Record<string, unknown>) => (value: unknown) => string | null

/** Loaded only for the rules that need it: the compiler is the heaviest thing a workflow can ask for. */
export async function schemaCompiler(): Promise<CompileSchema> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv')
  return (schema) => {
    const validate = new AjvJsonSchemaValidator().getValidator(schema)
    return (value) => {
      const result = validate(value)
      return result.valid ? null : result.errorMessage
    }
  }
}

/** The schemas of a workflow that no output could be judged by. Each is tried once: what leads in a circle does so with any value. */
export async function schemaFaults(workflow: Workflow): Promise<Fault[]> {
  const schemas = schemasIn(workflow)
  if (schemas.length === 0) return []
  const compile = await schemaCompiler()
  return schemas.flatMap(({ step, schema, path }) => {
    try {
      withinTime(() => compile(schema)(null), 'reading it')
      return []
    } catch (error) {
      const message = `the JSON Schema of step "${step}" cannot be used: ${whyUnusable(error)}`
      return [{ path, message, fix: 'write a valid JSON Schema in which every $ref resolves to a part of it and none is endless' }]
    }
  })
}

/** Why a schema cannot be used, without the compiler's advice for its programmers. */
export function whyUnusable(error: unknown): string {
  if (error instanceof RangeError) return 'its $ref leads deeper than anybody can follow'
  return messageOf(error).replace(/; pass a pre-configured Ajv.*/s, '')
}
