import * as z from 'zod'
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

/** The same in some other languages, as far as they are known. */
const vagueElsewhere: readonly RegExp[] = [
  /\b(funktioniert|läuft|geht)\s+(richtig|korrekt|gut|ordnungsgemäß|einwandfrei|wie (erwartet|gewünscht))/i,
  /\b(angemessen|ordnungsgemäß|korrekt|richtig|sauber|sinnvoll)\s+(behandelt|verarbeitet|umgesetzt)/i,
  /\b(funciona|fonctionne|funziona)\s+(bien|correctamente|correctement|bene|correttamente)/i,
  /(正しく|適切に|うまく)(動作|処理|動く|機能)|正常(工作|运行)|(正确|适当)(地)?(处理|工作)/,
  /(правильно|корректно|нормально)\s+работает|работает\s+(правильно|корректно|нормально)/i,
]

/** A judgement where an observation should stand: "is nice", "looks good". Something that is red or empty can be looked at. */
const JUDGEMENT =
  /\b(is|are|be|looks?|feels?|seems?)\s+(\w+ly\s+|very\s+|more\s+)?(good|nice|great|fine|ok|okay|right|correct|proper|fast|quick|slow|easy|simple|clean|clear|stable|secure|reliable|usable|responsive|pretty|beautiful|modern|happy|satisfied|useful|helpful|better|performant|efficient|scalable|maintainable)(\s+and\s+\w+)?\s*[.!]?$/i

/** A single word states nothing; languages written without spaces are judged by their length. */
function isStatement(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(text))
    return letters.length >= 4
  return letters.length > 0 && text.trim().split(/\s+/).length >= 2
}

const aboutTests =
  'runner|command|harness|server|page|tab|view|panel|mode|button|results?|report|environment|framework|data|tool|endpoint|api|bench|drive|parser|loader'
const kinds = '(?:unit|integration|regression|smoke|end-to-end|e2e|missing|more|some|automated)[- ]'
const programs = 'pytest|jest|vitest|mocha|junit|rspec|cypress|playwright|selenium|unittest|phpunit|ctest'

/** What asks for tests and nothing else: to write them, to test something, or to verify it by tests. */
const testsAlone: readonly RegExp[] = [
  new RegExp(
    `^\\s*(please\\s+)?(add|write|create|implement|extend|increase|improve)\\s+(?:(?!with\\b|and\\b|plus\\b|including\\b)[\\w-]+\\s+){0,3}?(?:${kinds})*(tests\\b(?!\\s+(?:${aboutTests})\\b)|test\\s+(?:coverage|cases?|suites?|files?)\\b|test\\s+(?:for|of|that|to)\\b|test\\s*[.!]?$|(?:code )?coverage\\b|spec files?\\b(?!\\s+(?:${aboutTests})\\b)|specs for\\b)`,
    'i',
  ),
  new RegExp(`^\\s*(please\\s+)?(?:${kinds})?test\\s+(?!(?:${aboutTests})\\b)`, 'i'),
  new RegExp(
    `^\\s*(please\\s+)?(verify|check|validate|cover|prove|exercise)\\b.*\\b(with|by|using|through|via|in|by means of)\\s+(?:[\\w-]+\\s+){0,2}?(?:${kinds})?(tests\\b|${programs})`,
    'i',
  ),
]

/** A gate that a person let a task pass: for the words it had then. */
export type GateOverride = z.infer<typeof GateOverride>
export const GateOverride = z.object({ gate: z.enum(['done_when', 'tests']), text: z.string(), by: z.string(), reason: z.string() })

type Gated = Pick<TaskPlan, 'description' | 'kind' | 'spec_ref' | 'done_when' | 'scope'> & { gates_overridden?: readonly GateOverride[] }

/** The words that a gate judges which a person may let pass. */
export function gatedText(plan: Gated, gate: GateFault['gate']): string | null {
  if (gate === 'done_when') return plan.done_when
  return gate === 'tests' ? plan.description : null
}

/** Every gate the plan of a task does not pass, but for those that a person let it pass. */
export function gateFaults(plan: Gated): GateFault[] {
  const passed = (gate: GateFault['gate']) =>
    plan.gates_overridden?.some((one) => one.gate === gate && one.text === gatedText(plan, gate)) === true
  return allFaults(plan).filter(({ gate }) => !passed(gate))
}

function allFaults(plan: Gated): GateFault[] {
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
  if (kind === 'code' && testsAlone.some((pattern) => pattern.test(description))) {
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
  const phrase = [...vague, ...vagueElsewhere, JUDGEMENT]
    .map((pattern) => pattern.exec(done_when)?.[0])
    .find((found) => found !== undefined)
  if (phrase !== undefined) return `"${phrase.trim()}" cannot be proven wrong; say what can be observed`
  return isStatement(done_when) ? null : 'it states nothing; say in a sentence what can be observed'
}
