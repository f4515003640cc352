import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../../domain/test-each.ts'
import { migrateFile } from './migrate-file.ts'
import { migrateWorkflow } from './migrate.ts'

const review = 'Please review the attached code and provide feedback on potential improvements.'
const role = 'Act as a code reviewer. Ask specific questions about the code quality.'

// oxfmt-ignore
const prompts: [string, string, string, string][] = [
  ['the example of the specification', `**Agent's Role:** ${role}\n\n${review}`,           review,                     role],
  ['a role at the end',                `${review}\n\n**Agent Role:** ${role}`,             review,                     role],
  ['a role in the middle',             `Read this.\n\nAgent's role: ${role}\n\n${review}`, `Read this.\n\n${review}`,  role],
  ['a heading',                        `## Agent Role\n${role}\n\n${review}`,              review,                     role],
  ['two lines and a curly quote',      `**AGENT’S ROLE:** ${role}\nBe kind.\n\n${review}`, review,                     `${role}\nBe kind.`],
]

test('[W35] a role that was written into a prompt is moved to agentRole', () => {
  for (const [name, before, prompt, agentRole] of prompts) {
    const { value } = migrateWorkflow({ steps: [{ id: 'one', title: 'One', prompt: before, guidance: ['x'] }] })

    assert.deepEqual(value, { steps: [{ id: 'one', title: 'One', prompt, agentRole, guidance: ['x'] }] }, name)
  }
})

test('[W35] what cannot be moved is left as it is, with the reason', () => {
  const steps = [
    { id: 'has-one', prompt: `**Agent's Role:** ${role}\n\n${review}`, agentRole: 'Already here, thank you.' },
    { id: 'only-role', prompt: `**Agent's Role:** ${role}` },
    { id: 'too-short', prompt: `**Agent's Role:** Be kind.\n\n${review}` },
    { id: 'too-long', prompt: `**Agent's Role:** ${'x'.repeat(1025)}\n\n${review}` },
    { id: 'no-role', prompt: 'Describe the role of the agent in this file.' },
  ]

  const { value, notes } = migrateWorkflow({ formatVersion: 1, steps })

  assert.deepEqual(value, { formatVersion: 1, steps })
  assert.deepEqual(each(notes, 'step'), ['has-one', 'only-role', 'too-short', 'too-long'])
})

test('[W35] the steps of a loop are migrated too, in JSON and in YAML, and a second time changes nothing', async () => {
  const inner = { id: 'inner', title: 'Inner', prompt: `**Agent's Role:** ${role}\n\n${review}` }
  const workflow = { id: 'old-one', steps: [{ id: 'loop-x', type: 'loop', body: [inner] }] }

  const json = await migrateFile('old.json', JSON.stringify(workflow, null, 4))
  const again = await migrateFile('old.json', json.text)
  const yaml = await migrateFile(
    'old.yaml',
    `id: old-one\nsteps:\n  - id: one\n    prompt: |-\n      Agent's Role: ${role}\n\n      ${review}\n`,
  )

  assert.ok(json.text.includes(`"agentRole": "${role}"`) && json.text.includes('\n    "id"'))
  assert.ok(json.diff.includes(`+                    "prompt": "${review}"`), json.diff)
  assert.equal(again.changed, false)
  assert.ok(yaml.text.includes(`agentRole: ${role}`), yaml.text)
})

test('[W35] a YAML file keeps its comments, and the parts that are not migrated keep their look', async () => {
  const text = `# Ours\nid: 'old-one' # a name\nsteps:\n  - id: one\n    # what people read\n    prompt: |-\n      Agent's Role: ${role}\n\n      ${review}\n`

  const { text: fresh, changed } = await migrateFile('old.yaml', text)
  const again = await migrateFile('old.yaml', fresh)

  assert.match(fresh, /^# Ours\nid: 'old-one' # a name\nsteps:\n  - id: one\n    # what people read\n    prompt: /)
  assert.ok(fresh.includes(`agentRole: ${role}`), fresh)
  assert.deepEqual([changed, again.changed], [true, false])
})

test('[W35] only the prompt that holds a role is written anew; every other character of the file stays', async () => {
  const prompt = JSON.stringify(`Agent's Role: ${role}\n\n${review}`)
  const json = `{ "id":"old-one",\n\t"tags": [1,\n  2],\n\t"steps": [\n\t\t{ "id": "one", "prompt": ${prompt}, "x": "\\u00e9" },\n\t\t{\n\t\t\t"prompt":   ${prompt}\n\t\t} ] }`
  const yaml = `id:   old-one\nsteps:\n- {id: one, prompt: ${prompt}}\n-   id: "two"   # kept\n    prompt: >-\n      Agent's Role: ${role}\n\n\n      ${review}\n\n    title:    Two\n`
  const texts: [string, string][] = [
    ['old.json', json],
    ['old.yaml', yaml],
  ]

  for (const [file, text] of texts) {
    const { text: fresh, notes } = await migrateFile(file, text)
    const gone = fresh.replaceAll(/"prompt": "[^\n]*?",\s*"agentRole": "[^"]*"|prompt: [^\n]*\n +agentRole: [^\n]*\n/g, '¶')
    const before = text.replaceAll(/"?prompt"?: +(?:"(?:[^"\\]|\\.)*"|>-\n[^]*?\n\n(?=    title))/g, '¶')

    assert.equal(gone.replaceAll(/¶\n?/g, '¶'), before.replaceAll(/¶\n?/g, '¶'), fresh)
    assert.equal(notes.length, 2)
    assert.equal((await migrateFile(file, fresh)).changed, false)
  }
})

test('[W35] a file with no role in a prompt is not touched, whatever its layout', async () => {
  const text = '{"id":"x1x",   "steps":[{"id":"one","prompt":"Do."}]}'

  const { text: fresh, changed } = await migrateFile('old.json', text)

  assert.deepEqual([fresh, changed], [text, false])
})
