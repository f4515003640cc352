import { appendFileSync } from 'node:fs'
import { cpuMs } from './cpu.mjs'

/** A dot for each test, what failed with its reason and what it said, then one line of counts: enough on a terminal and in a log. */
export default async function* report(events) {
  const failed = []
  const begun = new Map()
  let passed = 0
  let skipped = 0
  process.once('SIGTERM', () => process.stderr.write(`\nstill running: ${[...begun.values()].join(', ') || 'nothing that has a name'}\n`))
  const cpuOf = countCpu()
  for await (const { type, data } of events) {
    cpuOf(data.file)
    if (type === 'test:dequeue') begun.set(placeOf(data), data.name)
    if (type === 'test:complete') begun.delete(placeOf(data))
    if (type === 'test:diagnostic' && failed.includes(placeOf(data))) yield `${indented(data.message)}\n`
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite' || data.nesting > 0) continue
    keepResult(type, data)
    if (type === 'test:fail') {
      failed.push(placeOf(data))
      yield `X\n\n✖ ${data.name}\n  ${placeOf(data)}\n${reason(data)}\n`
    } else {
      if (data.skip === undefined) passed += 1
      else skipped += 1
      yield '.'
    }
    if ((passed + skipped + failed.length) % 80 === 0) yield '\n'
  }
  cpuOf(undefined)
  keep({ outcome: 'part', cpuMs: cpuMs(), place: process.env.TROUPE_TEST_PART })
  yield `\n${passed} passed, ${failed.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`
}

/** For whoever runs several of us and wants to tell the whole. */
function keepResult(type, data) {
  const outcome = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped'
  keep({ outcome, ms: Math.round(data.details?.duration_ms ?? 0), name: data.name, place: placeOf(data), why: data.skip })
}

/** Takes the file each event is of; what was computed until it changes is that file's, with the programs it started. */
function countCpu() {
  let current
  let since = cpuMs()
  return (file) => {
    if (file === current) return
    const now = cpuMs()
    if (current !== undefined) keep({ outcome: 'computed', cpuMs: now - since, place: current })
    current = file
    since = now
  }
}

function keep(result) {
  const file = process.env.TROUPE_TEST_RESULTS
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`)
}

function placeOf({ file, line }) {
  return `${file ?? ''}:${line ?? ''}`
}

function reason({ details }) {
  const error = details?.error
  const text = String(error?.cause?.stack ?? error?.cause ?? error?.message ?? error)
  return indented(text.split('\n').slice(0, 25).join('\n'))
}

function indented(text) {
  return text.replaceAll(/^/gm, '    ')
}
