import * as z from 'zod'
import { SettledHost } from '../domain/network/leave.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { projectFolder } from '../sandbox/git/project-folder.ts'
import { settledHosts } from '../store/run-tables.ts'
import type { CommandsContext } from './allowed-commands.ts'

const listHosts = defineOperation({
  name: 'host.list',
  summary: 'List the hosts that were allowed or refused for all runs of a project',
  by: ['person'],
  effect: 'read',
  command: 'hosts list',
  input: z.strictObject({}),
  output: z.object({ hosts: z.array(SettledHost) }),
  example: {},
  tell: ({ hosts }) => (hosts.length === 0 ? 'No host is settled for a project.' : hosts.map(lineOf).join('\n')),
  run: async ({ driver }: CommandsContext) => {
    const hosts = await settledHosts.items(driver)
    return { hosts: hosts.toSorted((a, b) => a.at.localeCompare(b.at)) }
  },
})

const revokeHost = defineOperation({
  name: 'host.revoke',
  summary: 'Take back what was settled about a host for the project of this folder; the next refusal asks again',
  by: ['person'],
  effect: 'change',
  command: 'hosts revoke <host>',
  input: z.strictObject({ host: z.string().min(1).describe('the host with its port, as it is listed') }),
  output: SettledHost,
  example: { host: 'example.org:443' },
  tell: ({ host, port, project }) => `${host}:${port} is settled no longer in ${project}`,
  run: async ({ driver, root }: CommandsContext, { host }) => {
    const project = projectFolder(root)
    const settled = await settledHosts.list(driver, { where: { project } })
    const was = settled.find(({ item }) => `${item.host}:${item.port}` === host)
    if (was === undefined) throw new Problem('not_found', `nothing is settled about ${JSON.stringify(host)} in ${project}`)
    await settledHosts.remove(driver, was)
    return was.item
  },
})

/** What can be done about hosts that a person allowed or refused for a project. */
export const hostOperations = [listHosts, revokeHost] as const

function lineOf({ host, port, allowed, project, by, at }: SettledHost): string {
  return `${host}:${port}  ${allowed ? 'allowed' : 'never'}  in ${project}  by ${by}, ${at}`
}
