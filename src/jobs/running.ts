import { jobTitle } from '../domain/job/job.ts'
import type { Running, UsedProject } from '../domain/overview/running.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'

/** The jobs whose Worker or Supervisor is at work. */
export async function runningJobs(driver: Driver): Promise<Running[]> {
  const found = await jobs.items(driver, { where: { status: ['RUNNING', 'REVIEWING'] } })
  return found.flatMap((job): Running[] => {
    if (job.active === null) return []
    const { seat, run_id, started_at: since } = job.active
    const agent_role = job.roles[seat].role
    const { id, git_source_repo: workspace } = job
    return [{ id, way: 'job', title: jobTitle(job), agent: seat, agent_role, run_id, workspace, link: `/jobs/${id}`, since }]
  })
}

/** The repositories of the jobs. */
export async function jobProjects(driver: Driver): Promise<UsedProject[]> {
  return (await jobs.items(driver)).map(({ git_source_repo, updated_at }) => ({ workspace: git_source_repo, used_at: updated_at }))
}
