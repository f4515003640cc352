import type { EditorTheme, MarkdownTheme } from '@earendil-works/pi-tui'
import { paint, type Style } from '../../terminal.ts'

const styled =
  (...styles: Style[]) =>
  (text: string): string =>
    styles.reduce((painted, style) => paint(style, painted), text)

/** How what a model writes looks in a terminal; without colour all of it is plain. */
export const markdownTheme: MarkdownTheme = {
  heading: styled('bold', 'cyan'),
  link: styled('cyan'),
  linkUrl: styled('dim'),
  code: styled('yellow'),
  codeBlock: styled('green'),
  codeBlockBorder: styled('dim'),
  quote: styled('dim'),
  quoteBorder: styled('dim'),
  hr: styled('dim'),
  listBullet: styled('cyan'),
  bold: styled('bold'),
  italic: styled('italic'),
  strikethrough: styled('strikethrough'),
  underline: styled('underline'),
}

/** How the box looks in which a person writes, and the list that completes it. */
export const editorTheme: EditorTheme = {
  borderColor: styled('dim'),
  selectList: {
    selectedPrefix: styled('cyan'),
    selectedText: styled('bold', 'cyan'),
    description: styled('dim'),
    scrollInfo: styled('dim'),
    noMatch: styled('dim'),
  },
}
