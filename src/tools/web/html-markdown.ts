/** What is not for reading: skipped up to its end. */
const skipped = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
  'nav',
  'footer',
  'textarea',
  'select',
])

/** What stands on lines of its own, and what begins the first of them. */
// oxfmt-ignore
const blocks: Readonly<Record<string, string>> = {
  h1: '\n\n# ', h2: '\n\n## ', h3: '\n\n### ', h4: '\n\n#### ', h5: '\n\n##### ', h6: '\n\n###### ',
  p: '\n\n', div: '\n', section: '\n\n', article: '\n\n', main: '\n', header: '\n', ul: '\n', ol: '\n', dl: '\n', dt: '\n', dd: '\n: ',
  li: '\n- ', blockquote: '\n\n> ', pre: '\n\n```\n', table: '\n\n', tr: '\n', br: '\n', hr: '\n\n---\n\n', figure: '\n', details: '\n',
}

const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', em: '*', i: '*', code: '`', td: ' | ', th: ' | ' }

// oxfmt-ignore
const entities: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '—', ndash: '–', hellip: '…', copy: '©', middot: '·',
  rsquo: '’', lsquo: '‘', rdquo: '”', ldquo: '“', bull: '•', times: '×', rarr: '→', larr: '←', laquo: '«', raquo: '»',
}

/**
 * HTML as markdown, in one pass: whatever a page is made of, the time it takes grows with its length alone. The usual libraries build a tree and
 * walk it once more for each level: 12 kB of nested elements kept one of them for 15 seconds, and this process serves everyone.
 */
export function htmlToMarkdown(html: string): string {
  const names = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) // each letter stays in its place
  const parts: string[] = []
  const links: string[] = []
  let isCode = false
  let end = -1 // of the next tag; looked for once
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at)
    parts.push(textOf(html.slice(at, open === -1 ? html.length : open), isCode))
    if (open === -1) break
    if (html[open + 1] === '!' || html[open + 1] === '?') {
      at = after(html, html.startsWith('<!--', open) ? '-->' : '>', open)
      continue
    }
    const [tag, slash, name = ''] = tagAt(names, open)
    if (end <= open) end = html.indexOf('>', open)
    if (tag === undefined || end === -1) {
      parts.push('<')
      at = open + 1
      if (end === -1) end = html.length // there is none behind here either
      continue
    }
    at = end + 1
    if (slash === '' && skipped.has(name)) at = after(html, '>', after(names, `</${name}`, open) - 1)
    else parts.push(markOf(name, slash === '/', html.slice(open, Math.min(end, open + 2_000)), links))
    if (name === 'pre') isCode = slash === ''
  }
  return tidied(parts.join(''))
}

function tagAt(names: string, at: number): string[] {
  const tag = /<(\/?)([a-z][a-z0-9]*)/y
  tag.lastIndex = at
  return [...(tag.exec(names) ?? [])]
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at + what.length
}

function markOf(name: string, closes: boolean, tag: string, links: string[]): string {
  if (name === 'a') {
    if (closes) return links.pop() ?? ''
    const [, double, single, bare] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? []
    const href = double ?? single ?? bare
    links.push(href === undefined || /^(javascript|data):/i.test(href.trim()) ? '' : `](${textOf(href, false).trim()})`)
    return links.at(-1) === '' ? '' : '['
  }
  if (closes) return name === 'pre' ? '\n```\n\n' : name in blocks ? '\n' : name === 'td' || name === 'th' ? '' : (marks[name] ?? '')
  return blocks[name] ?? marks[name] ?? ''
}

function textOf(text: string, isCode: boolean): string {
  const read = text.replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => entities[name] ?? characterOf(name) ?? whole)
  return isCode ? read : read.replaceAll(/\s+/g, ' ')
}

function characterOf(name: string): string | null {
  if (!name.startsWith('#')) return null
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : null
}

/** At most one empty line in a row, and no spaces at the ends of lines. */
function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim()
}
