import { AllowedCommand } from '../domain/command/allowed.ts'
import { Entry } from '../domain/entry.ts'
import { SettledHost } from '../domain/network/leave.ts'
import { Plan } from '../domain/plan.ts'
import { Question } from '../domain/question.ts'
import { Quota } from '../domain/quota/quota.ts'
import { Run } from '../domain/run.ts'
import { defineCollection } from './collection.ts'

// The collections of a run, apart from `tables.ts`: making the schemas of boards, jobs and workflows would take a tenth of its start.
export const entries = defineCollection('entries', Entry, ['thread_id', 'number'])
export const runs = defineCollection('runs', Run, ['thread_id', 'status', 'lease_expires', 'parent_run_id'])
export const plans = defineCollection('plans', Plan, ['thread_id', 'status'])
export const settledHosts = defineCollection('settled_hosts', SettledHost, ['project'])
export const allowedCommands = defineCollection('allowed_commands', AllowedCommand, ['place'])
export const quotas = defineCollection('quotas', Quota, ['resets_at'])
export const questions = defineCollection('questions', Question, ['thread_id', 'status'])
