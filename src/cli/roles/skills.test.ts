import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '../test-account.ts'

test('[R61] the skills of a folder are listed and shown with where they are from, and what is refused is said', async (t) => {
  const account = await anAccount(t)
  await account.write('.agents/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Forms.\n---\nFill it.\n')
  await account.write('.config/troupe/skills/mine/SKILL.md', '---\nname: mine\ndescription: My way.\n---\nMine.\n')
  await account.write('project/.claude/skills/broken/SKILL.md', 'nothing')

  const { stdout } = await account.troupe('skills', 'list', '--json')
  const text = await account.troupe('skills')
  const shown = await account.troupe('skills', 'show', 'pdf')
  const wrong = await account.troupe('skills', 'show', 'pfd')

  const { skills, refused } = JSON.parse(stdout)
  assert.deepEqual(
    skills.map(({ name, source }: { name: string; source: string }) => [name, source]),
    [
      ['mine', 'user'],
      ['pdf', 'user'],
    ],
  )
  assert.equal(refused.length, 1)
  assert.match(text.stdout, /^pdf +user +Forms\.$/m)
  assert.match(text.stdout, /refused: .*broken\/SKILL\.md: it does not begin with fields/)
  assert.match(shown.stdout, /^Fill it\./)
  assert.deepEqual([wrong.code, wrong.stderr.trim()], [42, 'troupe: there is no skill "pfd"; did you mean pdf?'])
})
