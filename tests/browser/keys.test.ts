import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook } from './page-faults.ts'
import { setBoard } from './set-board.ts'

const sheetName = 'Keyboard shortcuts'

test('[V70] a question mark opens a dialog with the keys of the page; so does the palette, and Escape closes it', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')
  await page.getByRole('heading', { name: 'Roles' }).first().waitFor()
  const sheet = page.getByRole('dialog', { name: sheetName })

  await page.keyboard.press('?')
  await sheet.getByRole('heading', { name: sheetName }).waitFor()
  const keys = await sheet.locator('kbd').allTextContents()
  const faults = await faultsInEveryLook(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('keyboard')
  await page.keyboard.press('?')
  const whileTyping = await sheet.count()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')

  await sheet.waitFor()
  assert.equal(whileTyping, 0)
  assert.equal(keys.join(' '), 'Ctrl K ? Ctrl . Ctrl S j k Enter e 1 – 9 g c g b g j g w g r g n')
  assert.deepEqual(faults, [])
})

test('[V71] g and a letter go to every place', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/mcp-servers')
  await page.getByRole('navigation', { name: 'Places' }).waitFor()

  for (const [letter, path] of Object.entries({ b: '/board', j: '/jobs', w: '/workflows', r: '/roles', n: '/needs-you' })) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await page.waitForURL(`**${path}`)
  }
  await page.keyboard.press('g')
  await page.keyboard.press('c')

  await page.waitForURL('**/chat')
})

test('[V71] g and a letter go nowhere while somebody types, holds a modifier, has a dialog open, or pressed another key between', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello.', repeat: true }])
  const chat = await troupe.newChat('actor', 'Which animal?')
  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByRole('log').getByText('Hello.').waitFor()
  const blur = () => page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  const places: string[] = []
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    places.push(new URL(page.url()).pathname)
  }

  await page.getByRole('searchbox', { name: 'Search chats' }).focus()
  await press('g', 'b')
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('')
  await page.locator('textarea').first().focus()
  await press('g', 'b')
  await page.locator('textarea').first().fill('')
  await blur()
  await press('Alt+g', 'b')
  await press('g', 'Alt+b')
  await press('g', 'x', 'b')
  await press('?')
  await page.getByRole('dialog', { name: sheetName }).waitFor()
  await press('g', 'b')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: sheetName }).waitFor({ state: 'detached' })
  await blur()
  const stayed = [...new Set(places)]
  await press('g', 'b')

  await page.waitForURL('**/board')
  assert.deepEqual(stayed, [`/chat/${chat.id}`])
})

test('[V72] the palette begins with what was opened last, without what is open and what is gone, until something is typed', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello.', repeat: true }])
  const chats = [await troupe.newChat('actor', 'First chat'), await troupe.newChat('actor', 'Second chat')]
  const page = await troupe.open(`/chat/${chats[0]?.id}`)
  await page.getByRole('log').getByText('Hello.').waitFor()
  await page.getByRole('link', { name: /Second chat/ }).click()
  await page.waitForURL(`**/chat/${chats[1]?.id}`)
  await page.evaluate(() => {
    const kept: unknown = JSON.parse(localStorage.getItem('troupe.recents') ?? '[]')
    localStorage.setItem('troupe.recents', JSON.stringify(['/chat/gone', ...(Array.isArray(kept) ? kept : [])]))
  })
  await page.reload()
  await page.getByRole('log').getByText('Hello.').waitFor()

  await page.keyboard.press('Control+k')
  const options = page.getByRole('option')
  await options.filter({ hasText: 'First chat' }).waitFor()
  const untyped = await options.allTextContents()
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('new')
  await options.filter({ hasText: 'First chat' }).waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('')
  await options.filter({ hasText: 'First chat' }).waitFor()
  await page.keyboard.press('Enter')

  await page.waitForURL(`**/chat/${chats[0]?.id}`)
  assert.equal(untyped[0], 'First chatChat')
  assert.equal(untyped.filter((one) => one === 'First chatChat').length, 1)
})

test('[V73] the palette offers what can be done on a board and in a chat, does it, and offers it nowhere else', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello.', repeat: true }])
  const board = await setBoard(troupe)
  const chat = await troupe.newChat('actor', 'Which animal?')
  const page = await troupe.open(`/board/${board.board_id}`)
  await page.getByRole('button', { name: 'Add a task' }).first().waitFor()
  const here = page.getByRole('option').filter({ hasText: /Here$/ })

  await page.keyboard.press('Control+k')
  await here.first().waitFor()
  const onBoard = await here.allTextContents()
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('add a task')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  await page.goto(new URL(`/chat/${chat.id}`, page.url()).href)
  await page.getByRole('log').getByText('Hello.').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Switch role/ }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Roles' }).first().click()
  await page.waitForURL('**/roles')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /New chat/ }).waitFor()

  assert.deepEqual(onBoard, ['Add a taskHere', 'Note to the teamHere', 'PauseHere'])
  assert.equal(await here.count(), 0)
})
