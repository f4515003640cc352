import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** The checkout the guards look at. */
export const root = join(import.meta.dirname, '..')

export interface Source {
  /** Relative to the checkout, with forward slashes. */
  file: string
  text: string
}

/** A file of the checkout, read. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Every source file under the given folders, read. */
export function sourcesIn(...folders: string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
  return globSync(patterns, { cwd: root, exclude: ['**/dist', '**/node_modules'] }).map((file) => ({ file, text: textOf(file) }))
}

/** The modules of the domain, by the names of their files. */
export function domainFiles(): string[] {
  return globSync('**/*.ts', { cwd: join(root, 'src/domain'), exclude: ['**/*.test.ts'] }).toSorted()
}

/** What a file imports, type-only, dynamic and inline type imports included. */
export function importsOf({ file, text }: Source): string[] {
  const found: string[] = []
  const add = (literal: { value: unknown } | null) => {
    if (typeof literal?.value === 'string') found.push(literal.value)
  }
  visit(file, text, {
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source.type === 'Literal' ? node.source : null),
    TSImportType: (node) => add(node.source),
  })
  return found
}

/** Where each function of a file starts and how many lines it takes. */
export function functionsOf({ file, text }: Source) {
  const found: { line: number; lines: number }[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const add = ({ start, end }: { start: number; end: number }) => {
    found.push({ line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1 })
  }
  visit(file, text, { FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add })
  return found
}

/** Every text that a file's code holds; comments are not code. */
export function stringsOf({ file, text }: Source): string[] {
  const found: string[] = []
  visit(file, text, {
    Literal: ({ value }) => void (typeof value === 'string' && found.push(value)),
    TemplateElement: ({ value }) => void found.push(value.raw),
    JSXText: ({ value }) => void found.push(value),
  })
  return found
}

/** The texts that one array, one object's keys, one chain of comparisons or one text holds, each as a group. */
export function literalsOf({ file, text }: Source): string[][] {
  const groups: string[][] = []
  visit(file, text, {
    Literal: (node) => void groups.push(textsIn(node)),
    TemplateLiteral: ({ quasis }) => void groups.push([quasis.map(({ value }) => value.raw).join('')]),
    ArrayExpression: ({ elements }) => void groups.push(elements.flatMap(textsIn)),
    LogicalExpression: (node) => void groups.push(textsIn(node)),
    ObjectExpression: ({ properties }) =>
      void groups.push(properties.flatMap((node) => (node.type === 'Property' && node.key.type === 'Identifier' ? [node.key.name] : []))),
  })
  return groups
}

/** A text, or those on both sides of an operator. */
function textsIn(node: object | null): string[] {
  const { value, left, right } = { value: null, left: null, right: null, ...node } as Record<string, object | string | null>
  if (typeof value === 'string') return [value]
  return [left, right].flatMap((side) => (side !== null && typeof side === 'object' ? textsIn(side) : []))
}

function visit(file: string, text: string, visitor: ConstructorParameters<typeof Visitor>[0]): void {
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} does not parse: ${errors[0].message}`)
  new Visitor(visitor).visit(program)
}
