import type { TaskPlan } from './task.ts'

/** A gate a task does not pass: which, why, and what would pass. */
export interface GateFault {
  gate: 'spec_ref' | 'done_when' | 'scope' | 'tests'
  reason: string
  example: string
}

const GOOD_DONE_WHEN = 'GET /users returns 200 with a JSON array of user objects, 50 at most'

/** Words that sound like a criterion and cannot be proven wrong. */
const vague: readonly RegExp[] = [
  /\bworks?\s+(correctly|properly|well|fine|as (expected|intended|designed))\b/i,
  /\b(is|are|be|gets?)\s+(properly |correctly )?(handled|treated|dealt with)(\s+(appropriately|properly|correctly|gracefully|well))?\s*\.?$/i,
  /\bhandl(es?|ed|ing)\s+\w*\s*(errors?|exceptions?|failures?|edge cases?)?\s*(appropriately|properly|correctly|gracefully|well)\b/i,
  /\b(appropriately|properly|correctly|gracefully|adequately|suitably|sensibly|reasonably)\s*\.?$/i,
  /\b(user[- ]friendly|intuitive|robust|high[- ]quality|production[- ]ready|good enough|state of the art|best practices?)\b/i,
  /\b(clean|readable|maintainable|well[- ]written|well[- ]structured)\s+code\b/i,
  /\bcode (is|looks) (clean|good|readable|maintainable)\b/i,
  /\b(fast|quick|performant|efficient|scalable) enough\b/i,
  /\b(improved?|better|optimi[sz]ed|enhanced)\s*\.?$/i,
  /\b(is|are|has been) (done|finished|complete[d]?|implemented|ready)\s*\.?$/i,
  /\b(etc\.?|and so on|tbd|to be (decided|defined|determined))\s*\.?$/i,
  /^\s*(it |everything |all |the (feature|code|task|thing|change) )?(works|done|ok|finished|complete)\s*\.?$/i,
]

/** Something that could be looked up and found wrong: a number, a name in code, a quoted text, a path, a verb of outcome. */
const OBSERVABLE =
  /\d|`[^`]+`|"[^"]+"|'[^']+'|[\w-]+\.\w{1,5}\b|\/\w|--\w|\w+\(\)|\b(returns?|prints?|exits?|fails?|passes|contains?|lists?|shows?|refuses?|rejects?|writes?|reads?|creates?|deletes?|removes?|equals?|starts?|stops?|ends?|accepts?|throws?|logs?|sends?|receives?|responds?|exists?|matches|renders?|stores?|keeps?|answers?|states?|describes?|explains?|names?|documents?|links?|triggers?|raises?)\b/i

const TESTS_ALONE =
  /^\s*(please\s+)?(add|write|create|implement|extend|increase|improve)\s+(\w+\s+){0,3}?(unit |integration |missing |more |some |end-to-end |e2e )*(tests?|test (coverage|cases?|suite)|coverage)\b/i

/** Every gate the plan of a task does not pass. */
export function gateFaults(plan: Pick<TaskPlan, 'description' | 'kind' | 'spec_ref' | 'done_when' | 'scope'>): GateFault[] {
  const { description, kind, spec_ref, done_when, scope } = plan
  const faults: GateFault[] = []
  if (spec_ref === null) {
    faults.push({ gate: 'spec_ref', reason: 'the task cites no spec, so nobody could review it', example: 'specs/api.md#pagination' })
  }
  const weak = done_when === null ? 'the task does not say when it is done' : whyUnfalsifiable(done_when)
  if (weak !== null) faults.push({ gate: 'done_when', reason: weak, example: GOOD_DONE_WHEN })
  if (scope === null) {
    faults.push({
      gate: 'scope',
      reason: 'the task does not say what belongs to it',
      example: 'IN: paging of GET /users. OUT: other lists, sorting',
    })
  }
  if (kind === 'code' && TESTS_ALONE.test(description)) {
    faults.push({
      gate: 'tests',
      reason: 'tests belong to the task whose code they prove; a task of tests alone leaves that one without any',
      example: 'Page GET /users by 50, with tests of the first, the last and an empty page',
    })
  }
  return faults
}

/** Why a criterion could never be proven wrong, or null when it could. */
function whyUnfalsifiable(done_when: string): string | null {
  const phrase = vague.map((pattern) => pattern.exec(done_when)?.[0]).find((found) => found !== undefined)
  if (phrase !== undefined) return `"${phrase.trim()}" cannot be proven wrong; say what can be observed`
  if (!OBSERVABLE.test(done_when)) return 'it names nothing that can be observed; say which call, file or output shows it'
  return null
}
