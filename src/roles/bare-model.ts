import type { Role } from '../domain/role.ts'
import { show } from './fault.ts'

/** What is to be said of a role whose file names a model but not whose it is: it is loaded, but nobody can be asked to play it. */
export function bareModelRemark({ id, llm_model }: Pick<Role, 'id' | 'llm_model'>, file: string): string | null {
  if (/^(default|rehearsal|(scripted|replay):.+|[^/]+\/.+)$/s.test(llm_model)) return null
  return `the role ${id} names the model ${show(llm_model)} without its provider, so it cannot be played; write provider/model in ${file}`
}
