/** A table of markdown; a bar inside a cell would end it, so it is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`
}

/** Code in running text, or nothing for nothing. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** A page of the reference: its title, where it comes from, and its sections. */
export function page(title: string, from: string, sections: readonly string[]): string {
  const note = `Generated from ${from} by \`npm run reference\`; a test fails when it drifts.`
  return `${[`# ${title}`, note, ...sections].join('\n\n')}\n`
}
