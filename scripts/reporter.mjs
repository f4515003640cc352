/** A dot for each test, then what failed with its reason and what it said, then one line of counts: enough on a terminal and in a log. */
export default async function* report(events) {
  const failed = []
  const said = []
  let passed = 0
  let skipped = 0
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.line !== undefined) said.push(data)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite' || data.nesting > 0) continue
    if (data.skip !== undefined) skipped += 1
    else if (type === 'test:pass') passed += 1
    else failed.push(data)
    yield type === 'test:pass' ? '.' : 'X'
    if ((passed + skipped + failed.length) % 80 === 0) yield '\n'
  }
  yield '\n'
  for (const test of failed) yield `\n✖ ${test.name}\n  ${test.file ?? ''}:${test.line ?? ''}\n${reason(test)}\n${wordsOf(test, said)}`
  yield `${passed} passed, ${failed.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`
}

function reason({ details }) {
  const error = details?.error
  const text = String(error?.cause?.stack ?? error?.cause ?? error?.message ?? error)
  return indented(text.split('\n').slice(0, 25))
}

function indented(lines) {
  return lines.map((line) => `    ${line}`).join('\n')
}

/** What a test says of itself is told only where it failed. */
function wordsOf({ file, line }, said) {
  return said
    .filter((word) => word.file === file && word.line === line)
    .map(({ message }) => `${indented(message.split('\n'))}\n`)
    .join('')
}
