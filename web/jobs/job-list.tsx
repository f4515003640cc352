import { LoaderCircle } from 'lucide-react'
import { Link } from 'wouter'
import type { OperationOutput } from '../../src/api/operations.ts'
import { useRead } from '../api.ts'
import { StateBadge } from '../ui/status/badge.tsx'
import { Money, Moment } from '../ui/text/figures.tsx'
import { EmptyList, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { jobStates } from './job-states.ts'

type JobSummary = OperationOutput<'job.list'>['jobs'][number]

/** All jobs: first those that wait for a person, then those agents can work on, in the order in which they are taken, then the others. */
export function JobList({ openId }: { openId: string | undefined }) {
  const found = useRead('job.list', {})
  return (
    <>
      {found.isPending && <Loading />}
      {found.isError && <ErrorNote error={found.error} />}
      <div className="mt-3 min-h-0 flex-1 overflow-y-auto border-t border-line p-2">
        {found.data && <Groups jobs={found.data.jobs} openId={openId} />}
      </div>
    </>
  )
}

function Groups({ jobs, openId }: { jobs: readonly JobSummary[]; openId: string | undefined }) {
  const waiting = jobs.filter(({ needs_person }) => needs_person)
  const others = jobs.filter(({ queue, needs_person }) => queue === null && !needs_person)
  if (jobs.length === 0)
    return <EmptyList>No jobs yet. In a job, a Worker and a Supervisor take turns until the work is approved.</EmptyList>
  return (
    <>
      {waiting.length > 0 && <Group title="Needs you" jobs={waiting} openId={openId} />}
      <Group title="Queue" jobs={jobs.filter(({ queue }) => queue !== null)} openId={openId} empty="Nothing is queued." />
      {others.length > 0 && <Group title="Others" jobs={others} openId={openId} />}
    </>
  )
}

function Group({ title, jobs, openId, empty }: { title: string; jobs: readonly JobSummary[]; openId: string | undefined; empty?: string }) {
  return (
    <section className="mb-3">
      <h2 className="px-2.5 py-1 text-xs font-semibold text-soft">{title}</h2>
      <ul>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobLink job={job} open={job.id === openId} />
          </li>
        ))}
        {jobs.length === 0 && empty !== undefined && <li className="px-2.5 py-1 text-xs text-soft">{empty}</li>}
      </ul>
    </section>
  )
}

function JobLink({ job, open }: { job: JobSummary; open: boolean }) {
  return (
    <Link
      href={`/jobs/${job.id}`}
      aria-current={open ? 'page' : undefined}
      className={`flex items-start gap-2.5 rounded-lg px-2.5 py-2 ${open ? 'bg-accent-wash' : 'hover:bg-raised'}`}
    >
      {job.queue !== null && <span className="w-5 shrink-0 pt-0.5 text-right text-xs text-soft tabular-nums">{job.queue + 1}</span>}
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex items-center justify-between gap-2">
          <span className="truncate font-medium">{job.id}</span>
          <Moment at={job.updated_at} className="text-xs text-soft" />
        </span>
        <span className="truncate text-xs text-soft">{job.title}</span>
        <span className="flex flex-wrap items-center gap-1.5 text-xs text-soft">
          <StateBadge look={jobStates[job.status]} reason={job.reason} />
          <span className="whitespace-nowrap">
            {job.phase.of > 1 && `${job.phase.number}/${job.phase.of} · `}
            <Money spent={job} />
          </span>
          {(job.status === 'RUNNING' || job.status === 'REVIEWING') && (
            <LoaderCircle size={12} className="animate-spin" aria-label="at work" />
          )}
        </span>
      </span>
    </Link>
  )
}
