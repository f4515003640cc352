import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { permissions } from '../domain/permission.ts'
import { each, rowsOf } from '../domain/test-each.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { ceiling } from './delegation.ts'
import { loadRoles } from './load.ts'
import { faultsOf, roleFolders, roleText } from './test-folders.ts'
import { trustRoleFile } from './trust.ts'

const deployer = roleText('Deployer', 'permissions: [read_files, execute_commands]', 'can_delegate_to_roles: [actor]')

test('[R12] a project’s file may not give an existing role a permission or a delegate it had not', async (t) => {
  const planner = roleText('Planner', 'permissions: [read_files, write_files]', 'can_delegate_to_roles: [actor]')
  const folders = await roleFolders(t, { project: { 'planner.md': planner } })

  const faults = await faultsOf(folders)

  assert.deepEqual(
    faults.map(({ file, line, field, found }) => [basename(file), line, field, found]),
    [
      ['planner.md', 5, 'permissions', 'write_files'],
      ['planner.md', 6, 'can_delegate_to_roles', 'actor'],
    ],
  )
  assert.equal(faults[0]?.expected, 'no more than planner had: read_files')
})

for (const player of ['agent/claude', 'scripted:script.yaml', 'replay:recording.json']) {
  test(`[R12, R13] a project’s file has no role played by ${player}, until the user trusts it with a new one`, async (t) => {
    const [existing, brought] = [
      await roleFolders(t, { project: { 'planner.md': playedBy(player, 'Planner') } }),
      await roleFolders(t, { project: { 'scout.md': playedBy(player, 'Scout') } }),
    ]

    const faults = await faultsOf(existing)
    const before = await loadRoles(brought)
    await trustRoleFile(join(brought.projectDir, 'scout.md'), brought.userDir)
    const after = await loadRoles(brought)

    assert.deepEqual(rowsOf(faults, 'field', 'found'), [['llm_model', JSON.stringify(player)]])
    assert.ok(before.warnings.some(({ text }) => text.includes(`scout only reads, without being played by ${player}, until you trust`)))
    assert.deepEqual([before.get('scout')?.llm_model, after.get('scout')?.llm_model], ['default', player])
  })
}

test('[N11, R12] a project’s file may shorten whom a role reaches and never add to it; a new role reaches nobody until it is trusted', async (t) => {
  const narrower = await roleFolders(t, {
    user: { 'actor.md': anActor('[npm, a.org]') },
    project: { 'actor.md': anActor('["a.org:443"]') },
  })
  const wider = await roleFolders(t, { user: { 'actor.md': anActor('[a.org]') }, project: { 'actor.md': anActor('[a.org, b.org]') } })
  const brought = await roleFolders(t, { project: { 'scout.md': roleText('Scout', 'permissions: [read_files]', 'network: [a.org]') } })

  const shortened = (await loadRoles(narrower)).get('actor')
  const faults = await faultsOf(wider)
  const before = await loadRoles(brought)
  await trustRoleFile(join(brought.projectDir, 'scout.md'), brought.userDir)
  const after = await loadRoles(brought)

  assert.deepEqual(shortened?.network, ['a.org:443'])
  assert.deepEqual(each(faults, 'field'), ['network'])
  assert.ok(before.warnings.some(({ text }) => text.includes('without the network')))
  assert.deepEqual([before.get('scout')?.network, after.get('scout')?.network], [false, ['a.org']])
})

test('[N14] a project’s file may shorten the paths of a role and never widen them; a glob that is none stops the start', async (t) => {
  const load = async (own: string, brought: string) =>
    roleFolders(t, { user: { 'writer.md': aWriter(own) }, project: { 'writer.md': aWriter(brought) } })

  const shorter = (await loadRoles(await load('write_paths: [docs/**]', 'write_paths: [docs/api/**]'))).get('writer')
  const faults = await Promise.all(
    ['write_paths: [docs/**, src/**]', 'write_paths: ["**"]', 'color: blue', 'write_paths: [/etc]'].map(async (brought) =>
      each(await faultsOf(await load('write_paths: [docs/**]', brought)), 'field'),
    ),
  )

  assert.deepEqual(shorter?.write_paths, ['docs/api/**'])
  assert.deepEqual(faults, [['write_paths'], ['write_paths'], ['write_paths'], ['write_paths.0']])
})

test('[N11] what is not a list of domains stops the start with its place', async (t) => {
  const folders = await roleFolders(t, { user: { 'scout.md': roleText('Scout', 'permissions: [read_files]', 'network: [localhost]') } })

  const faults = await faultsOf(folders)

  assert.deepEqual(each(faults, 'field'), ['network.0'])
})

test('[R12] a project’s file may take rights away and change the prompt', async (t) => {
  const folders = await roleFolders(t, { project: { 'actor.md': roleText('Actor', 'permissions: [read_files]') } })

  const role = (await loadRoles(folders)).get('actor')

  assert.deepEqual(role?.permissions, ['read_files'])
  assert.equal(role.instructions, 'Do the work.')
})

test('[R12] whatever rights a project’s file states, no role’s ceiling rises', async (t) => {
  const before = await loadRoles({})
  const folders = await roleFolders(t, {})
  const stated = fc.record({
    id: fc.constantFrom(...before.ids, 'newcomer'),
    held: fc.subarray([...permissions]),
    delegates: fc.subarray([...before.ids]),
  })

  await fc.assert(
    fc.asyncProperty(stated, async ({ id, held, delegates }) => {
      const lines = [`id: ${id}`, `permissions: [${held.join(', ')}]`, `can_delegate_to_roles: [${delegates.join(', ')}]`]
      await writeFile(join(folders.projectDir, 'a.md'), roleText('Any', ...lines))
      const after = await loadRoles(folders).catch(() => before)
      for (const role of after.list()) {
        const was = before.get(role.id)
        const most = was === undefined ? ['read_files'] : ceiling(was, before)
        assertNone(ceiling(role, after), (permission) => !most.includes(permission))
      }
    }),
    { numRuns: 60 },
  )
})

test('[R13] a role a project brings only reads until the user trusts it, and the start says so', async (t) => {
  const folders = await roleFolders(t, { project: { 'deployer.md': deployer } })

  const roles = await loadRoles(folders)

  assert.deepEqual(roles.get('deployer')?.permissions, ['read_files'])
  assert.deepEqual(roles.get('deployer')?.can_delegate_to_roles, [])
  const [warning] = roles.warnings
  assert.match(warning?.text ?? '', /deployer only reads, without execute_commands, delegating to actor, until you trust /)
  assert.deepEqual(
    warning?.next?.map(({ operation }) => operation),
    ['role.trust'],
  )
})

test('[R13] trust gives a project’s role its rights, and a changed file loses them again', async (t) => {
  const folders = await roleFolders(t, { project: { 'deployer.md': deployer } })
  const file = join(folders.projectDir, 'deployer.md')

  await trustRoleFile(file, folders.userDir)
  const trusted = await loadRoles(folders)
  await writeFile(file, `${deployer}And more.\n`)
  const changed = await loadRoles(folders)

  assert.deepEqual(trusted.get('deployer')?.permissions, ['read_files', 'execute_commands'])
  assert.deepEqual(trusted.warnings, [])
  assert.deepEqual(changed.get('deployer')?.permissions, ['read_files'])
  assert.equal((await stat(join(folders.userDir, '.trusted'))).mode & 0o777, 0o600)
})

test('[R13] trust never lets a project’s file widen a role that exists', async (t) => {
  const folders = await roleFolders(t, { project: { 'planner.md': roleText('Planner', 'permissions: [write_files]') } })
  await trustRoleFile(join(folders.projectDir, 'planner.md'), folders.userDir)

  const faults = await faultsOf(folders)

  assert.deepEqual(each(faults, 'found'), ['write_files'])
})

function playedBy(player: string, name: string): string {
  return roleText(name, 'permissions: [read_files]').replace('llm_model: default', `llm_model: ${player}`)
}

function anActor(network: string): string {
  return roleText('Actor', 'permissions: [read_files]', `network: ${network}`)
}

function aWriter(paths: string): string {
  return roleText('Writer', 'permissions: [read_files]', paths)
}
