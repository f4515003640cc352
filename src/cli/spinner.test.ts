import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { awaited, makeRoom, spinner } from './spinner.ts'

test('[C90] on a terminal a sign of life says what is waited for, and is erased before anything else is written', async () => {
  const stream = aStream(true)
  const waiting = spinner(stream)

  waiting.wait('thinking')
  await once(stream, 'data')
  waiting.rest()
  stream.write('an answer\n')

  const written = stream.told()
  assert.match(written, /^\r\x1B\[2K\S thinking 0 s/) // oxlint-disable-line no-control-regex -- what is drawn begins with one
  assert.ok(written.endsWith('\r\x1B[2Kan answer\n'), JSON.stringify(written))
})

test('[C90] where there is no terminal nothing is written', () => {
  const stream = aStream(false)
  const waiting = spinner(stream)

  waiting.wait('thinking')
  waiting.rest()

  assert.equal(stream.told(), '')
})

test('[C90] of what takes longer than a moment a terminal says what is waited for; a line that is written meanwhile stands alone', async () => {
  const stream = aStream(true)
  const work = Promise.withResolvers<string>()

  const quick = await awaited('a moment', Promise.resolve('done'), stream)
  const waiting = awaited('merging', work.promise, stream)
  await once(stream, 'data')
  makeRoom()
  stream.write('a line\n')
  work.resolve('merged')

  assert.deepEqual([quick, await waiting], ['done', 'merged'])
  assert.match(stream.told(), /^\r\x1B\[2K\S merging 0 s\r\x1B\[2Ka line\n\r\x1B\[2K$/) // oxlint-disable-line no-control-regex -- as above
})

function aStream(isTTY: boolean) {
  const stream = new PassThrough()
  const pieces: string[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece.toString()))
  return Object.assign(stream as unknown as NodeJS.WriteStream, { isTTY, columns: 80, told: () => pieces.join('') }) // as much of one as is used
}
