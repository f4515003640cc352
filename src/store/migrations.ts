import { heldStates, reviewStates, sqlStates } from '../domain/board/task-flow.ts'
import type { SchemaBuilder } from './schema-builder.ts'

/** One step in the life of the schema; gives the statements that make it, for the database at hand. */
export interface Migration {
  name: string
  up(build: SchemaBuilder): string[]
}

// Applied once each, in this order. Never change or reorder a line that has been released: stores out there remember its name.
// oxfmt-ignore
export const migrations: readonly Migration[] = [
  { name: 'log',       up: (build) => build.log() },
  { name: 'entries',   up: (build) => build.collection('entries',   { thread_id: 'text', number: 'integer' }, [['thread_id', 'number']], 'unique') },
  { name: 'runs',      up: (build) => build.collection('runs',      { thread_id: 'text', status: 'text', lease_expires: 'text', parent_run_id: 'text' }, [['thread_id'], ['status', 'lease_expires'], ['parent_run_id']]) },
  { name: 'plans',     up: (build) => build.collection('plans',     { thread_id: 'text', status: 'text' }, [['thread_id', 'status']]) },
  { name: 'questions', up: (build) => build.collection('questions', { thread_id: 'text', status: 'text' }, [['thread_id', 'status'], ['status']]) },
  { name: 'workflows', up: (build) => [
    ...build.collection('workflow_runs',      { workflow_id: 'text', status: 'text', updated_at: 'text' }, [['workflow_id'], ['status', 'updated_at'], ['updated_at']]),
    ...build.collection('workflow_run_steps', { run_id: 'text', number: 'integer' }, [['run_id', 'number']], 'unique'),
    ...build.collection('workflow_versions',  { workflow_id: 'text' }, [['workflow_id']]),
  ] },
  { name: 'chats',     up: (build) => build.collection('chats',     { updated_at: 'text' }, [['updated_at']]) },
  { name: 'jobs',      up: (build) => [
    ...build.collection('jobs',             { status: 'text', rank: 'integer' }, [['status', 'rank'], ['rank']]),
    ...build.collection('job_interactions', { job_id: 'text', sequence: 'integer' }, [['job_id', 'sequence']], 'unique'),
    ...build.collection('job_moves',        { job_id: 'text', number: 'integer' }, [['job_id', 'number']], 'unique'),
  ] },
  { name: 'board',     up: (build) => [
    ...build.collection('boards',        { root: 'text' }, [['root']]),
    ...build.collection('board_agents',  { board_id: 'text' }, [['board_id']]),
    ...build.collection('board_records', { board_id: 'text', kind: 'text', task: 'text' }, [['board_id', 'kind', 'task']]),
    ...build.collection('tasks', {
      board_id: 'text', number: 'integer', status: 'text', priority: 'integer', unmet: 'integer',
      assigned_to: 'text', lease_expires: 'text', reviewing_by: 'text', review_lease_expires: 'text',
    }, [['board_id', 'status', 'unmet', 'priority', 'number']]),
    // Only the tasks that somebody holds or that wait for a review are in these: each index that a claim touches costs as much as the claim.
    `create index "tasks_held" on "tasks" (board_id, assigned_to) where status in ${sqlStates(heldStates)}`,
    // Without what has no lease: or PostgreSQL, before it has counted anything, looks here for what somebody holds.
    `create index "tasks_lease" on "tasks" (board_id, lease_expires) where status in ${sqlStates(heldStates)} and lease_expires is not null`,
    `create index "tasks_review" on "tasks" (board_id, reviewing_by, priority, number) where status in ${sqlStates(reviewStates)}`,
    `create index "tasks_review_lease" on "tasks" (board_id, review_lease_expires) where status in ${sqlStates(reviewStates)} and review_lease_expires is not null`,
    `create index "log_board" on "log" (subject, seq) where topic = 'board'`, // the activity of one board
  ] },
  { name: 'workflow plays', up: (build) => [
    ...build.collection('workflow_plays',      { status: 'text' }, [['status']]),
    ...build.collection('workflow_play_steps', { run_id: 'text', number: 'integer' }, [['run_id', 'number']]),
  ] },
  { name: 'run drafts', up: () => [
    'create table "run_drafts" (id text primary key not null, run_id text not null, data text not null)',
    'create index "run_drafts_run_id" on "run_drafts" (run_id)',
  ] },
  { name: 'settled hosts', up: (build) => build.collection('settled_hosts', { project: 'text' }, [['project']]) },
  { name: 'allowed commands', up: (build) => build.collection('allowed_commands', { place: 'text' }, [['place']]) },
  { name: 'attachments', up: () => ['create table "attachments" (hash text primary key not null, data text not null)'] },
  { name: 'quotas', up: (build) => build.collection('quotas', { resets_at: 'text' }, []) },
  { name: 'search', up: (build) => build.search() },
  { name: 'notified', up: () => ['create table "notified" (channel text not null, need text not null, primary key (channel, need))'] },
]
