import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { unbounded } from '../domain/bounds.ts'
import { permissions, type Permission } from '../domain/permission.ts'
import type { LoadedRole } from '../domain/role.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { cappedAuthority, ceiling, checkDelegationLimits, childAuthority, DelegationLimits, rootAuthority } from './delegation.ts'
import { loadRoles } from './load.ts'
import { closedSet, type Roles } from './roles.ts'

const builtIn = await loadRoles({})

test('[R18] a role’s ceiling is its own permissions and those of the roles it may delegate to, not of theirs', () => {
  const chief: LoadedRole = { ...builtIn.need('commander'), id: 'chief', can_delegate_to_roles: ['commander', 'tester'] }
  const roles = closedSet([...builtIn.list(), chief])

  const ceilings = ['planner', 'commander', 'tester', 'chief'].map((id) => ceiling(roles.need(id), roles))

  assert.deepEqual(ceilings, [['read_files'], [...permissions], ['read_files', 'execute_commands'], ['read_files', 'execute_commands']])
})

test('[R19] a Commander can have an Actor act', () => {
  const commander = rootAuthority(builtIn.need('commander'), builtIn)

  const actor = childAuthority({ agent_role: 'commander', ...commander }, 'actor', builtIn)

  assert.deepEqual(commander.permissions, ['read_files'])
  assert.deepEqual(actor.permissions, [...permissions])
})

test('[R19] nothing below a Planner can ever do more than read', () => {
  fc.assert(
    fc.property(someRoles(), fc.infiniteStream(fc.nat()), fc.array(fc.nat(), { maxLength: 6 }), (roles, picks, before) => {
      const below = [...picks.take(3)]
      const chain = [...before, ...below].map((at) => roleAt(roles, at))
      chain.splice(before.length, 0, builtIn.need('planner'))

      assertNone(effectivePermissions(chain, roles), (permission) => permission !== 'read_files')
    }),
  )
})

test('[R19] an agent never has what its own role lacks, and a link more in its chain never gives it more', () => {
  fc.assert(
    fc.property(someRoles(), fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (roles, picks, added, where) => {
      const chain = picks.map((at) => roleAt(roles, at))
      const longer = chain.toSpliced(where % chain.length, 0, roleAt(roles, added))

      const held = effectivePermissions(chain, roles)
      const heldBelowMore = effectivePermissions(longer, roles)

      assertNone(held, (permission) => !chain.at(-1)?.permissions.includes(permission))
      assertNone(heldBelowMore, (permission) => !held.includes(permission))
    }),
  )
})

test('[R19] link by link and as a whole chain the permissions come out the same', () => {
  fc.assert(
    fc.property(someRoles(), fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), (roles, picks) => {
      const chain = picks.map((at) => roleAt(roles, at))
      const capped = chain.slice(0, -1).map((role) => ceiling(role, roles))
      const expected = chain.at(-1)?.permissions.filter((permission) => capped.every((cap) => cap.includes(permission))) ?? []

      assert.deepEqual(effectivePermissions(chain, roles).toSorted(), [...new Set(expected)].toSorted())
    }),
  )
})

test('[R20] a role starts only the roles it lists', () => {
  const parent = { agent_role: 'commander', ceiling: [...permissions], bounds: unbounded }
  const orphan = { agent_role: 'gone', ceiling: [...permissions], bounds: unbounded }

  assert.throws(() => childAuthority(parent, 'coder', builtIn), {
    code: 'denied',
    message: 'Commander may not delegate to coder: it may delegate to planner, actor',
  })
  assert.throws(() => childAuthority(orphan, 'actor', builtIn), { code: 'denied' })
})

test('[N3, N11, N12] whoever an agent starts reaches nobody and changes nothing that it could not itself', () => {
  const [planner, actor] = [builtIn.need('planner'), builtIn.need('actor')]
  const writer = {
    ...actor,
    id: 'writer',
    network: ['a.org', 'b.org'],
    write_paths: ['docs/**'],
    read_paths: ['docs/**'],
    can_delegate_to_roles: ['actor'],
  }
  const roles = closedSet([writer, { ...actor, network: ['b.org', 'c.org'], write_paths: ['**/*.md'] }, planner])

  const child = childAuthority({ ...rootAuthority(writer, roles), agent_role: 'writer' }, 'actor', roles)
  const step = cappedAuthority(roles.need('actor'), writer, roles)

  const bounds = { network: ['b.org'], write_paths: [['docs/**'], ['**/*.md']], read_paths: [['docs/**']] }
  assert.deepEqual([child.bounds, step.bounds], [bounds, bounds])
})

test('[A75] depth, children and total are limited, each refusing the next child', () => {
  const limits = DelegationLimits.parse({ max_depth: 2, max_children: 3, max_total: 4 })

  checkDelegationLimits(limits, { depth: 1, children: 2, total: 3 })

  assert.throws(() => checkDelegationLimits(limits, { depth: 2, children: 0, total: 0 }), /max_depth is 2/)
  assert.throws(() => checkDelegationLimits(limits, { depth: 0, children: 3, total: 0 }), /max_children is 3/)
  assert.throws(() => checkDelegationLimits(limits, { depth: 0, children: 0, total: 4 }), { code: 'denied' })
})

/** Bounded by nothing. */
const everywhere = { network: true, write_paths: null, read_paths: null }

/** What the last of a chain of agents may do, each having started the next. */
function effectivePermissions([first, ...below]: readonly LoadedRole[], roles: Roles): Permission[] {
  const root = rootAuthority(first ?? builtIn.need('planner'), roles)
  return below.reduce((above, role) => cappedAuthority(role, { ...everywhere, permissions: above.ceiling }, roles), root).permissions
}

/** Any set of roles a user could write, beside the built-in Planner. */
function someRoles(): fc.Arbitrary<Roles> {
  const ids = ['one', 'two', 'three', 'four']
  const parts = fc.record({
    permissions: fc.subarray<Permission>([...permissions]),
    can_delegate_to_roles: fc.subarray([...ids, 'planner']),
  })
  return fc
    .tuple(parts, parts, parts, parts)
    .map((all) =>
      closedSet([builtIn.need('planner'), ...all.map((part, at) => ({ ...builtIn.need('planner'), ...part, id: ids[at] ?? '' }))]),
    )
}

function roleAt(roles: Roles, at: number): LoadedRole {
  const all = roles.list()
  return all[at % all.length] ?? roles.need('planner')
}
