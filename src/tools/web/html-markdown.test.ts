import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToMarkdown } from './html-markdown.ts'

test('[M50] headings, lists, links, tables and code of a page become markdown, and what is not for reading is left out', () => {
  const page = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body><NAV>menu</NAV><H2 class="a">One &amp; two</H2>
    <p>See <a href="/x?a=1&amp;b=2">this</a>, <a href="javascript:steal()">not that</a>.</p><ul><li>first</li><li>second</li></ul>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre>  if (a &lt; b)\n    go()</pre><!-- hidden --><script>var x = "<p>no</p>"</script>&#8212;&#x41; end</body></html>`

  const text = htmlToMarkdown(page)

  assert.equal(
    text,
    '## One & two\n\nSee [this](/x?a=1&b=2), not that.\n\n- first\n\n- second\n\n | a | b\n\n | 1 | 2\n\n```\n  if (a < b)\n    go()\n```\n\n—A end',
  )
})

test('[M55] whatever a page is made of, its length alone says how long it takes', () => {
  const pieces = [
    '<div>',
    '<',
    '<a x=',
    '<!--',
    '<!',
    '</',
    '<script',
    '<b>y</b>',
    '&#x',
    '&',
    '\n ',
    '*_',
    '<a href="',
    '<pre> ',
    '<nav><nav>',
    '>',
  ]

  for (const piece of pieces) {
    const started = process.cpuUsage()
    htmlToMarkdown(piece.repeat(Math.ceil(400_000 / piece.length)))
    const { user } = process.cpuUsage(started)
    assert.ok(user < 10_000_000, `${piece} took ${user} µs`) // in the time of a square it would be hours
  }
})
