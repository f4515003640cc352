import assert from 'node:assert/strict'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testWorkspace } from '../../sandbox/test-workspace.ts'
import { findSkills } from './find.ts'
import { skillFile, skillsSection, skillText } from './told.ts'

const aSkill = (name: string, more = '') => `---\nname: ${name}\ndescription: Use when ${name} is wanted.\n${more}---\nDo it with care.\n`

test('[R53] skills are found in the folders of the user, of the project and above it, and of two with one name the user’s counts', async (t) => {
  const place = await testWorkspace(t, {
    'own/pdf/SKILL.md': aSkill('pdf').replace('with care', 'my way'),
    'project/.git/HEAD': '',
    'project/.claude/skills/top/SKILL.md': aSkill('top'),
    'project/a/.agents/skills/pdf/SKILL.md': aSkill('pdf'),
    'project/a/.agents/skills/near/SKILL.md': aSkill('near'),
    'project/a/.agents/skills/notes.txt': 'no skill',
    '.agents/skills/above/SKILL.md': aSkill('above'),
  })

  const { skills, refused } = await findSkills(join(place, 'project/a'), [join(place, 'own'), join(place, 'nowhere')])

  assert.deepEqual(
    skills.map(({ name, source }) => `${name} ${source}`),
    ['near project', 'pdf user', 'top project'],
  )
  assert.match(skills[1]?.text ?? '', /my way/)
  assert.deepEqual(
    refused.map(({ fault }) => fault),
    ['another skill is called pdf and counts before it'],
  )
})

test('[R54] a skill that leads out of its project or its folder, has odd fields or is no file is refused with the reason', async (t) => {
  const outside = await testWorkspace(t, { 'SKILL.md': aSkill('linked'), 'secret.md': 'secret' })
  const odd = {
    unnamed: 'no fields at all',
    other: aSkill('another'),
    Bad_Name: aSkill('Bad_Name'),
    silent: '---\nname: silent\n---\nbody',
    bomb: `---\nname: bomb\nmetadata: &a [*a, *a]\n---\n`,
    wide: `---\nname: wide\ndescription: x\nlicense: ${'y'.repeat(20_000)}\n---\n`,
    proto: '---\n__proto__: {description: x}\nconstructor: y\n---\n',
  }
  const root = await testWorkspace(
    t,
    Object.fromEntries(Object.entries(odd).map(([name, text]) => [`.agents/skills/${name}/SKILL.md`, text])),
  )
  await symlink(outside, join(root, '.agents/skills/linked'))
  await mkdir(join(root, '.agents/skills/inner/SKILL.md'), { recursive: true })
  await mkdir(join(root, '.agents/skills/leads'))
  await symlink(join(outside, 'secret.md'), join(root, '.agents/skills/leads/SKILL.md'))

  const { skills, refused } = await findSkills(root, [])

  assert.deepEqual(skills, [])
  assert.equal(refused.length, Object.keys(odd).length + 3)
  const faultOf = (name: string) => refused.find(({ file }) => file.includes(`/${name}/`))?.fault ?? ''
  assert.match(faultOf('linked'), /out of the project/)
  assert.match(faultOf('leads'), /out of its folder/)
  assert.match(faultOf('inner'), /no file/)
  assert.match(faultOf('other'), /its name is another and its folder's other/)
  assert.match(faultOf('wide'), /longer than/)
})

test('[R55] a further file is read inside the folder of its skill and nowhere else, and no more than its measure', async (t) => {
  const root = await testWorkspace(t, {
    '.agents/skills/pdf/SKILL.md': aSkill('pdf'),
    '.agents/skills/pdf/references/forms.md': 'Forms\u001b[2J.',
    '.agents/skills/pdf/.env': 'KEY=1',
    '.agents/skills/other/SKILL.md': aSkill('other'),
    '.agents/skills/pdf/big.txt': '',
    'secret.md': 'secret',
  })
  const folder = join(root, '.agents/skills/pdf')
  await symlink('../../../secret.md', join(folder, 'out.md'))
  await symlink('references', join(folder, 'refs'))
  await truncate(join(folder, 'big.txt'), 3 * 1024 ** 3)
  const skill = (await findSkills(root, [])).skills.find(({ name }) => name === 'pdf') ?? assert.fail()

  assert.match(skillFile(skill, 'references/forms.md'), /\nForms\.$/)
  assert.match(skillFile(skill, 'refs/forms.md'), /\nForms\.$/)
  assert.match(skillFile(skill, 'big.txt'), /its last \d+ bytes are left out/)
  for (const path of [
    '../other/SKILL.md',
    '../../../secret.md',
    '/etc/hostname',
    'a/../../other/SKILL.md',
    '..',
    '.',
    '\0',
    'out.md',
    '.env',
    'references',
    'nowhere',
  ])
    assert.throws(() => skillFile(skill, path), `${path} was read`)
  assert.match(skillText(skill), /further files, by read_skill with path: big\.txt, references\/forms\.md\]/)
})

test('[R56] of ten thousand skills a few are listed within the budget, and how many more there are is said', async (t) => {
  const root = await testWorkspace(t)
  for (let at = 0; at < 10_000; at++) {
    const folder = join(root, '.agents/skills', `skill-${at}`)
    await mkdir(folder, { recursive: true })
    if (at % 2 === 0) await writeFile(join(folder, 'SKILL.md'), aSkill(`skill-${at}`).replace('wanted', 'wanted '.repeat(100)))
  }

  const { skills, left } = await findSkills(root, [])
  const section = skillsSection(skills, [])

  assert.deepEqual([skills.length, left > 0], [200, true])
  assert.ok(section.length < 24 * 190 + 300, `${section.length} characters`)
  assert.match(section, /176 more: read_skill without a name lists them$/)
})

test('[R57] what a skill says of tools is told and grants nothing; fields that are no YAML are read line by line', async (t) => {
  const root = await testWorkspace(t, {
    '.agents/skills/a/SKILL.md': aSkill('a', 'allowed-tools: Read Bash(git:*)\nhooks: {}\n'),
    '.agents/skills/b/SKILL.md': '---\nname: b\ndescription: Use when: asked\n---\nBody',
  })

  const { skills } = await findSkills(root, [])

  assert.deepEqual(
    skills.map(({ allowedTools, description }) => [allowedTools, description]),
    [
      [['Read', 'Bash(git:*)'], 'Use when a is wanted.'],
      [[], 'Use when: asked'],
    ],
  )
  assert.match(skills[0] ? skillText(skills[0]) : '', /meant for these tools alone: Read, Bash\(git:\*\); your role decides which you have/)
})
