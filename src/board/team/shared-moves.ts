import * as z from 'zod'
import { anomalyTypes } from '../../domain/board-anomaly.ts'
import { reportAnomaly } from '../report.ts'
import { defineMove } from './move.ts'

/** Every role writes down what goes wrong, when it goes wrong. */
export const logAnomaly = defineMove({
  name: 'log_anomaly',
  description: 'Log an anomaly the moment you meet it. details holds what its type requires, e.g. {count, error_pattern} of a retry_loop.',
  roles: ['planner', 'coder', 'code_reviewer'],
  required_permissions: ['read_files'],
  input: z.strictObject({
    type: z.enum(anomalyTypes),
    details: z.record(z.string(), z.unknown()),
    task: z.string().nullable().optional().describe('planner only'),
  }),
  example: { type: 'spec_ambiguity', details: { spec_ref: 'specs/api.md#pages', question: 'What is the size of a page?' } },
  run: async ({ type, details, task }, site) => {
    const logged = await reportAnomaly(site.desk, site.identity, { task: site.task ?? task ?? null, type, details })
    return { output: `logged ${logged.type} as ${logged.id}` }
  },
})
