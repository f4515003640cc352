import { basename, dirname, join, resolve } from 'node:path'
import { workflowUserView } from '../../domain/workflow/view.ts'
import { workflowPlays } from '../../store/tables.ts'
import { listedWorkflows } from '../../workflows/list.ts'
import { answerPlay, stopPlay } from '../../workflows/play/answer.ts'
import { startPlay } from '../../workflows/play/start.ts'
import { listPlays, viewPlay } from '../../workflows/play/view.ts'
import { playWorkflowInBackground, refusePlayTaken, playContextOf } from '../../workflows/play/play.ts'
import { previewWorkflow } from '../../workflows/preview.ts'
import { createProjectFile, readProjectFile, saveProjectFile } from '../../workflows/project-file.ts'
import type { workflowContract } from '../contract/workflow.ts'
import type { Handlers } from '../dispatch.ts'
import type { ServerContext } from '../services.ts'
import { USER } from './desk.ts'

export const workflowHandlers: Handlers<keyof typeof workflowContract> = {
  listWorkflows: async (_input, services) => {
    const { workflows, refused } = listedWorkflows(await services.catalogue.read())
    return {
      workflows: workflows.map((found) => ({ ...found, shadows: [...found.shadows], edit: editName(services, found.file) })),
      refused: refused.map((fault) => ({ ...fault, edit: editName(services, fault.file) })),
    }
  },

  getWorkflow: async ({ params }, services) => {
    const { workflow, source, file, shadows } = await services.catalogue.find(params.id)
    return { workflow: workflowUserView(workflow), source, file, shadows: [...shadows], edit: editName(services, file) }
  },

  startWorkflow: async ({ params, body }, services) => {
    const entry = await services.catalogue.find(params.id)
    const { id } = await startPlay(services.plays, entry, { ...body, workspace: resolve(body.workspace ?? services.workspace) })
    playWorkflowInBackground(services.plays, id)
    return { run: id }
  },

  listWorkflowRuns: async (_input, { driver }) => ({ runs: await listPlays(driver) }),

  getWorkflowRun: async ({ params }, { driver }) => viewPlay(driver, params.id),

  answerWorkflow: async ({ params, body }, { driver, plays }) => {
    const question = await answerPlay(driver, params.id, { ...body, question_id: params.question_id }, USER, plays.agent.now())
    await plays.playing.get(params.id)?.done // it asks a moment before it has stored that it waits
    await carryOn(params.id, { driver, plays })
    return question
  },

  stopWorkflow: async ({ params }, { driver, plays }) => stopPlay(driver, params.id, plays.agent.now()),

  continueWorkflow: async ({ params }, services) => {
    await carryOn(params.id, services)
    return { run: params.id }
  },

  createWorkflow: async ({ body }, { workspace, catalogue }) => {
    const from = body.from === undefined ? null : (await catalogue.find(body.from)).workflow
    return createProjectFile(workspace, catalogue, body.id, from)
  },

  checkWorkflow: async ({ body }) => previewWorkflow(body.text, basename(body.name)),

  getWorkflowFile: async ({ params }, { workspace }) => readProjectFile(workspace, params.name),

  saveWorkflowFile: async ({ params, body }, { workspace }) => saveProjectFile(workspace, { name: params.name, ...body }),
}

/** Refused here, where a person hears of it, rather than in the background. */
async function carryOn(id: string, { driver, plays }: Pick<ServerContext, 'driver' | 'plays'>): Promise<void> {
  await refusePlayTaken(driver, (await workflowPlays.get(driver, id)).item)
  await playContextOf(plays, id)
  playWorkflowInBackground(plays, id)
}

function editName({ workspace }: ServerContext, file: string): string | null {
  return dirname(file) === join(workspace, '.troupe', 'workflows') ? basename(file) : null
}
