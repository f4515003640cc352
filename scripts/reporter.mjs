/** A dot for each test, then what failed with its reason, then one line of counts: enough on a terminal and in a log. */
export default async function* report(events) {
  const failed = []
  let passed = 0
  let skipped = 0
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite' || data.nesting > 0) continue
    if (data.skip !== undefined) skipped += 1
    else if (type === 'test:pass') passed += 1
    else failed.push(data)
    yield type === 'test:pass' ? '.' : 'X'
    if ((passed + skipped + failed.length) % 80 === 0) yield '\n'
  }
  yield '\n'
  for (const test of failed) yield `\n✖ ${test.name}\n  ${test.file ?? ''}:${test.line ?? ''}\n${reason(test)}\n`
  yield `${passed} passed, ${failed.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`
}

function reason({ details }) {
  const error = details?.error
  const text = String(error?.cause?.stack ?? error?.cause ?? error?.message ?? error)
  return text
    .split('\n')
    .slice(0, 25)
    .map((line) => `    ${line}`)
    .join('\n')
}
