import { isRecord } from '../text/unknown-value.ts'

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
export function foreignFormat(value: unknown): { name: string; fields: readonly string[] } | null {
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
