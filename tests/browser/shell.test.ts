import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Running } from '../../src/domain/overview/running.ts'
import { openTroupe } from './open-troupe.ts'
import { setTheScene } from './set-scene.ts'

const sleeping = { text: 'I run it.', calls: [{ tool: 'execute_command', input: { command: 'sleep 600' } }] }

test('[V1] the sidebar is 232 px wide, folds to 56 px and stays so; the header is one line of 48 px', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')
  const sidebar = page.getByRole('navigation', { name: 'Places' })
  const widthOf = async () => (await sidebar.boundingBox())?.width
  await page.getByRole('heading', { name: 'Roles' }).waitFor()

  const open = await widthOf()
  const header = (await page.getByRole('main').getByRole('banner').or(page.locator('main header')).first().boundingBox())?.height
  await page.getByRole('button', { name: 'Collapse the sidebar' }).click()
  await page.waitForFunction(() => (document.querySelector('nav')?.getBoundingClientRect().width ?? 999) < 60)
  await page.reload()
  await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()

  assert.deepEqual([open, await widthOf()], [232, 56])
  assert.ok(header !== undefined && header <= 49, `the header is ${header} px high`)
})

test('[V2] the page brings its typefaces itself, as far as its text needs them, and their licences', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')
  await page.getByRole('heading', { name: 'Roles' }).waitFor()

  const loaded = await page.evaluate(async () => {
    await document.fonts.ready
    return performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ pathname }) => pathname.endsWith('.woff2'))
      .map(({ origin, pathname }) => [origin === location.origin, pathname.replace(/^\/assets\/(.+)-[\w-]{8}\.woff2$/, '$1')])
  })
  const licences = await page.evaluate(() =>
    Promise.all(['inter', 'jetbrains-mono'].map(async (font) => (await fetch(`/assets/${font}-license.txt`)).text())),
  )

  assert.ok(loaded.some(([own, name]) => own === true && name === 'inter-latin-wght-normal'))
  assert.ok(!loaded.some(([own, name]) => own === false || /cyrillic|greek|vietnamese/.test(String(name))))
  for (const text of licences) assert.match(text, /SIL OPEN FONT LICENSE/i)
})

test('[V3] what runs in chats and on boards stands in the sidebar of every screen, leads there and goes when it ends', async (t) => {
  const troupe = await openTroupe(t, [sleeping])
  await setTheScene(troupe)
  const chat = await troupe.newChat('actor', 'Run the long test')
  const page = await troupe.open('/roles')
  const running = page.getByRole('region', { name: 'Running now' })

  await running.getByRole('link', { name: /Run the long test/ }).waitFor()
  const { running: listed } = (await troupe.ask('GET', '/api/system/list_running')) as { running: Running[] } // as it is declared
  await running.getByRole('link', { name: /Page GET \/invoices/ }).click()
  await page.waitForURL('**/task/invoices')
  await troupe.ask('POST', '/api/chat/stop', { chat: chat.id })
  await running.getByRole('link', { name: /Run the long test/ }).waitFor({ state: 'detached' })

  assert.deepEqual(listed.map(({ way, agent }) => `${way} ${agent}`).toSorted(), ['board code-reviewer-1', 'board coder-2', 'chat actor'])
})

test('[V4] a project that is chosen is all that the list of chats shows, and where a new chat starts', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Done.', repeat: true }])
  const other = join(troupe.workspace, '../other')
  await mkdir(other)
  await troupe.newChat('actor', 'In the first one')
  const chat = (await troupe.ask('POST', '/api/chat/create', { workspace: other, title: 'In the other one' })) as { id: string } // as above
  const page = await troupe.open(`/chat/${chat.id}`)
  const first = page.getByRole('link', { name: /In the first one/ })
  await first.waitFor()

  await page.getByRole('button', { name: /Switch project/ }).click()
  await page.getByRole('menuitem', { name: /other/ }).click()
  await first.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'New chat' }).click()
  const folder = await page.getByLabel('Folder to work in').inputValue()

  assert.equal(await page.getByRole('link', { name: /In the other one/ }).count(), 1)
  assert.match(folder, /\/other$/)
})
