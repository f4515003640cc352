import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Entry } from '../../domain/entry.ts'
import { openWire, wireNames, type WireName } from '../../../tests/open-wire.ts'
import { aRequest, never, user } from '../test-entries.ts'

/** One red pixel, and an empty page. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString('base64')

const imageUrl = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
const chatFile = { type: 'file', file: { filename: 'page.pdf', file_data: `data:application/pdf;base64,${pdf}` } }

/** The files as each wire has them. */
const shapes: Record<WireName, readonly object[]> = {
  openai: [imageUrl, chatFile],
  openrouter: [imageUrl, chatFile],
  own: [imageUrl, chatFile],
  anthropic: [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: 'page.pdf' },
  ],
  google: [{ inlineData: { mimeType: 'image/png', data: png } }, { inlineData: { mimeType: 'application/pdf', data: pdf } }],
  responses: [
    { type: 'input_image', image_url: `data:image/png;base64,${png}` },
    { type: 'input_file', filename: 'page.pdf', file_data: `data:application/pdf;base64,${pdf}` },
  ],
}

for (const wire of wireNames) {
  test(`[A125] over the ${wire} wire an image and a PDF arrive before the words about them`, async (t) => {
    const { server, provider } = await openWire(t, wire, {})
    const { entry, files } = said()

    await provider.ask(aRequest({ entries: [entry], files }), never)

    const sent = JSON.stringify(server.requests[0]?.body)
    const places = [...shapes[wire].map((shape) => sent.indexOf(JSON.stringify(shape).slice(0, -1))), sent.indexOf('What is this?')]
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? -1)),
      `${places.join(' ')} in ${sent}`,
    )
  })

  test(`[A125] over the ${wire} wire a file that is not at hand is named in its place`, async (t) => {
    const { server, provider } = await openWire(t, wire, {})

    await provider.ask(aRequest({ entries: [said().entry] }), never)

    const sent = JSON.stringify(server.requests[0]?.body)
    assert.match(sent, /dot\.png was attached here/)
    assert.ok(!sent.includes(png))
  })
}

test('[A125] which models take files is known by their families, and what the user says counts before', async (t) => {
  const taken = async (wire: WireName, model: string, takes?: ['image']) => {
    const { provider } = await openWire(t, wire, {}, takes && { takes })
    return provider.takes?.(model)
  }

  assert.deepEqual(await taken('anthropic', 'claude-sonnet-5'), ['image', 'pdf'])
  assert.deepEqual(await taken('openrouter', 'google/gemini-3-pro'), ['image', 'pdf'])
  assert.deepEqual(await taken('own', 'qwen3-coder'), [])
  assert.deepEqual(await taken('own', 'qwen3-coder', ['image']), ['image'])
})

function said() {
  const attachments = [
    { name: 'dot.png', media_type: 'image/png', hash: 'one', bytes: 70 },
    { name: 'page.pdf', media_type: 'application/pdf', hash: 'two', bytes: 70 },
  ]
  const files = new Map([
    ['one', png],
    ['two', pdf],
  ])
  return { entry: Entry.parse({ ...user('What is this?'), attachments }), files }
}
