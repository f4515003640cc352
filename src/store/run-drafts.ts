import * as z from 'zod'
import { Usage } from '../domain/entry.ts'
import type { Driver } from './driver.ts'
import { fromJson, toJson } from './record-json.ts'

/** A request to a model that is not answered yet: what was heard so far, and about what it has used. */
export type RunDraft = z.infer<typeof RunDraft>
export const RunDraft = z.object({ id: z.string(), run_id: z.string(), text: z.string(), usage: Usage, took_ms: z.number() })

// Not a collection: a draft is written again several times a second, and a line of the log for each would drown what happened.

export async function addDraft(driver: Driver, draft: RunDraft): Promise<void> {
  await driver.query('insert into "run_drafts" (id, run_id, data) values ($1, $2, $3)', [draft.id, draft.run_id, toJson(draft)])
}

/** One that was removed stays so: whoever took the run over has settled it. */
export async function updateDraft(driver: Driver, draft: RunDraft): Promise<void> {
  await driver.query('update "run_drafts" set data = $2 where id = $1', [draft.id, toJson(draft)])
}

/** Every draft there is, or those of one run. */
export async function listDrafts(driver: Driver, runId?: string): Promise<RunDraft[]> {
  const rows =
    runId === undefined
      ? await driver.query<{ data: string }>('select data from "run_drafts"')
      : await driver.query<{ data: string }>('select data from "run_drafts" where run_id = $1', [runId])
  return rows.map(({ data }) => RunDraft.parse(fromJson(data)))
}

export async function removeDraft(driver: Driver, id: string): Promise<void> {
  await driver.query('delete from "run_drafts" where id = $1', [id])
}

export async function removeDrafts(driver: Driver, runId: string): Promise<void> {
  await driver.query('delete from "run_drafts" where run_id = $1', [runId])
}
