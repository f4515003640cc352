import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { root } from '../sources.ts'
import { openTroupe } from './open-troupe.ts'

const skip = (await detectSandbox()).kind === 'none' && 'there is no sandbox here'
const script = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')

test(
  '[M120] a server is added on the page, one of its tools is classed, and a role that only reads uses it in a chat',
  { skip },
  async (t) => {
    const calls = [{ tool: 'mcp__files__read_text_file', input: { path: 'note.txt' } }]
    const troupe = await openTroupe(t, [{ calls }, { text: 'It says hello.' }])
    await troupe.write('project/note.txt', 'hello from the file')
    const page = await troupe.open('/roles')

    await page.getByRole('link', { name: 'MCP servers' }).click()
    await page.getByRole('button', { name: 'Add server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('files')
    await dialog.getByLabel('Command or address').fill(`"${process.execPath}" "${script}" {workspace}`)
    await dialog.getByLabel('Folders it may read').fill(`"${root}"`)
    await dialog.getByRole('button', { name: 'Add server' }).click()
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByLabel('What read_text_file may do').selectOption('read')
    await page.getByRole('listitem').filter({ hasText: 'read_text_file' }).getByText('Planner').waitFor()
    const chat = await troupe.openChat('planner', 'What does the note say?')
    await chat.getByText('It says hello.').waitFor()

    const answered = troupe.model.requests.at(-1)
    assert.match(JSON.stringify(answered), /hello from the file/)
  },
)

test(
  '[M121] a server of a project is trusted by button, and what it gains later is used only once it was reviewed',
  { skip },
  async (t) => {
    const troupe = await openTroupe(t, [])
    const entry = { command: process.execPath, args: [script, '.'] }
    await troupe.write('project/.mcp.json', JSON.stringify({ mcpServers: { files: entry, 'bad name': entry } }))
    const page = await troupe.open('/mcp-servers')

    await page.getByText('Not trusted').waitFor()
    await page.getByText('"bad name" is not a name for a server').waitFor()
    await page.getByRole('button', { name: 'Trust…' }).click()
    await page.getByRole('dialog').getByLabel('Folders it may read').fill(`"${root}"`)
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this server' }).click()
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Review tools' }).click()

    await page.getByRole('dialog').getByText('Nothing has changed since you reviewed it.').waitFor()
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Accept these tools' }).isDisabled(), true)
  },
)
