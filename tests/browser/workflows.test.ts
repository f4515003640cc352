import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { stickingOut } from './page-faults.ts'

const PLANTED = 'PLANTED: act as somebody nobody may read of'
const workflow = {
  id: 'write-greeting',
  name: 'Write a greeting',
  description: 'Writes a greeting and has it confirmed.',
  version: '1.0.0',
  steps: [
    { id: 'look', title: 'Look around', prompt: 'See what is there.', agentRole: PLANTED, role: 'reviewer' },
    { id: 'rare', title: 'Only sometimes', prompt: 'Rarely needed.', agentRole: PLANTED, runCondition: { var: 'rare', equals: true } },
    {
      id: 'each',
      type: 'loop',
      title: 'Each language',
      loop: { type: 'forEach', items: 'languages', maxIterations: 5 },
      body: [{ id: 'write', title: 'Write it', prompt: 'Write the greeting.', agentRole: PLANTED }],
    },
    { id: 'check', title: 'Check it', prompt: 'Show it.', agentRole: PLANTED, requireConfirmation: true },
  ],
}

const finish = (output: string, context: object = {}) => ({ calls: [{ tool: 'finish_step', input: { output, context } }] })

test('[W95] a workflow is found, played, asked about, sent back, confirmed and done in a browser', async (t) => {
  const troupe = await openTroupe(t, [
    finish('Nothing there yet.', { rare: false, languages: ['en'] }),
    { calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'hello\n' } }] },
    finish('Wrote greeting.txt.'),
    finish('It says hello.'),
    finish('It says hello, twice checked.'),
  ])
  await troupe.write('project/.troupe/workflows/write-greeting.json', JSON.stringify(workflow))
  await troupe.write('project/.troupe/workflows/broken.json', '{\n  "id": "broken-one"\n}')
  const page = await troupe.open('/workflows')

  const refused = page.getByRole('region', { name: 'Refused files' })
  await refused.getByText('broken.json').click()
  await refused.getByText('What to do:').first().waitFor()
  await page.getByRole('searchbox', { name: 'Search workflows' }).fill('greeting')
  await page.getByRole('link', { name: /Write a greeting/ }).click()
  await page.getByRole('img', { name: 'Condition: rare = true' }).waitFor()
  await page.getByRole('img', { name: 'Loop: Each language, for each of languages, at most 5 rounds' }).waitFor()
  const shown = await page.content()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const card = page.getByRole('region', { name: 'Waits for you' })
  await card.getByText('Is this step done: Check it?').waitFor()
  const needs = await troupe.open('/needs-you')
  await needs.getByRole('link', { name: /Is this step done: Check it\?/ }).waitFor()
  await card.getByRole('textbox', { name: 'In your own words' }).fill('Check it twice')
  await card.getByRole('button', { name: 'Send back' }).click()
  await card.getByText('It says hello, twice checked.').waitFor()
  await card.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('The workflow is complete').waitFor()

  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('confirmed by user').waitFor()
  await timeline.getByText('rare is false, tested = true').first().waitFor()
  await page.getByLabel('4 of 4 steps done').waitFor()
  assert.ok(![shown, await needs.content(), await page.content()].join().includes('PLANTED'))
  assert.equal(await readFile(join(troupe.workspace, 'greeting.txt'), 'utf8'), 'hello\n')
  assert.match(JSON.stringify(troupe.model.requests[0]?.body), /PLANTED: act as somebody/)
})

test('[W113] steps that are done count, also while nobody can tell which one is next', async (t) => {
  const troupe = await openTroupe(t, [finish('Looked.', { rare: false }), finish('What next?'), { text: 'I cannot say.', repeat: true }])
  await troupe.write('project/.troupe/workflows/write-greeting.json', JSON.stringify(workflow))
  const page = await troupe.open('/workflows/show/write-greeting')
  await page.getByRole('button', { name: 'Play', exact: true }).click()

  await page.getByText('Waiting for information').waitFor()

  await page.getByRole('list', { name: 'Timeline' }).getByText('Looked.').waitFor()
  await page.getByLabel(/^[12] of 4 steps done$/).waitFor()
})

test('[W96] a file is written with its faults in sight, both sides of each step side by side, and saved', async (t) => {
  const troupe = await openTroupe(t, null)
  const page = await troupe.open('/workflows', { width: 390, height: 800, theme: 'dark' })

  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('textbox', { name: 'Id' }).fill('my-flow')
  await page.getByRole('button', { name: 'Create and edit' }).click()
  const box = page.getByRole('textbox', { name: 'Text of my-flow.json' })
  const first = await box.inputValue()
  await box.fill(first.replace(/"agentRole": "What only[^"]*"/, '"agentRole": "short"'))
  const faults = page.getByRole('region', { name: 'Faults' })
  await faults.getByText('steps.0.agentRole').waitFor()
  const whileBroken = await page.getByRole('button', { name: 'Save' }).isDisabled()
  await box.fill(first.replace('Carry it out', 'Do it now'))
  await page.getByRole('region', { name: 'What the agent reads' }).first().getByText('## Agent Role').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Show and play' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Show and play' }).click()
  await page.getByRole('button', { name: 'Do it now' }).press('Enter')
  await page.getByText('Do it, and show what came of it.').waitFor()

  assert.deepEqual([whileBroken, await stickingOut(page)], [true, []])
  assert.match(await readFile(join(troupe.workspace, '.troupe/workflows/my-flow.json'), 'utf8'), /Do it now/)
  assert.ok(!(await page.content()).includes('What only the agent reads'))
})

test('[W109] the editor shows what its author probably did not mean, leads to the line, and saves it all the same', async (t) => {
  const troupe = await openTroupe(t, null)
  const steps = [
    {
      id: 'one',
      title: 'One',
      prompt: "**Agent's Role:** Act as a code reviewer.\n\nPlease review.",
      runCondition: { var: 'size', equals: 1 },
    },
  ]
  await troupe.write('project/.troupe/workflows/odd.json', JSON.stringify({ ...workflow, id: 'odd', steps }, null, 2))
  const page = await troupe.open('/workflows/edit?file=odd.json')

  const warnings = page.getByRole('region', { name: 'Warnings' })
  await warnings.getByRole('button', { name: /steps\.0\.prompt/ }).click()
  const box = page.getByRole('textbox', { name: 'Text of odd.json' })
  const chosen = await box.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  const count = await warnings.getByRole('listitem').count()
  await box.fill((await box.inputValue()).replace('Write a greeting', 'Odd'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('not saved').waitFor({ state: 'hidden' })
  await box.fill((await box.inputValue()).replace("**Agent's Role:** Act as a code reviewer.\\n\\nPlease", 'Please'))
  await warnings.getByText('steps.0.prompt').waitFor({ state: 'hidden' })

  assert.match(chosen, /^ *"prompt": /)
  assert.equal(count, 2)
  assert.equal(await page.getByRole('region', { name: 'Faults' }).count(), 0)
  assert.match(await readFile(join(troupe.workspace, '.troupe/workflows/odd.json'), 'utf8'), /"name": "Odd"/)
})

test('[W95] a variable that is known at the start is not asked for, and a deletion waits with its diff in sight', async (t) => {
  const troupe = await openTroupe(t, [
    finish('Looked.'),
    { calls: [{ tool: 'delete_file', input: { path: 'old.txt' } }] },
    finish('Removed old.txt.'),
    finish('It is gone.'),
  ])
  await troupe.write('project/.troupe/workflows/write-greeting.json', JSON.stringify(workflow))
  await troupe.write('project/old.txt', 'an old greeting\n')
  const page = await troupe.open('/workflows/show/write-greeting')

  await page.getByText('Known facts (optional): rare, languages').click()
  await page.getByRole('textbox', { name: 'rare' }).fill('false')
  await page.getByRole('textbox', { name: 'languages' }).fill('["en"]')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const approval = page.getByRole('region', { name: 'Approval: delete_file' })
  await approval.getByRole('region', { name: 'Changes' }).getByText('an old greeting').waitFor()
  await approval.getByRole('button', { name: 'Yes, do it' }).click()
  await page.getByText('Is this step done: Check it?').waitFor()

  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('rare is false, tested = true').first().waitFor()
  assert.equal(await timeline.getByText('Find out').count(), 0)
})
