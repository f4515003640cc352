import { common, createLowlight } from 'lowlight'
import { paint, type Style } from '../../terminal.ts'

/** More is not coloured: every piece of a reply that grows is looked at again. */
const CHARS_AT_MOST = 20_000

const languages = createLowlight(common)

const styles: Record<string, Style> = {
  'hljs-keyword': 'magenta',
  'hljs-built_in': 'cyan',
  'hljs-type': 'cyan',
  'hljs-title': 'blue',
  'hljs-literal': 'yellow',
  'hljs-number': 'yellow',
  'hljs-string': 'green',
  'hljs-regexp': 'red',
  'hljs-attr': 'cyan',
  'hljs-name': 'blue',
  'hljs-comment': 'dim',
  'hljs-meta': 'dim',
  'hljs-addition': 'green',
  'hljs-deletion': 'red',
}

/** The lines of a piece of code, coloured where its language is known. */
export function highlightCode(code: string, language?: string): string[] {
  if (language === undefined || !languages.registered(language) || code.length > CHARS_AT_MOST) return code.split('\n')
  return painted(languages.highlight(language, code).children, []).split('\n')
}

type Nodes = ReturnType<typeof languages.highlight>['children']

function painted(nodes: Nodes, inside: readonly Style[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return inLines(node.value, inside)
      if (node.type !== 'element') return ''
      const names = node.properties['className']
      const style = Array.isArray(names) ? styles[String(names[0])] : undefined
      return painted(node.children, style === undefined ? inside : [...inside, style])
    })
    .join('')
}

/** A style ends with its line: the screen draws each line on its own. */
function inLines(text: string, inside: readonly Style[]): string {
  const paintLine = (line: string) => inside.reduce((so, style) => paint(style, so), line)
  return text.split('\n').map(paintLine).join('\n')
}
