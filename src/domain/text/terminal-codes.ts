/** What steers a terminal. */
const codes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`, // colours and moves of the cursor
    String.raw`(?:\u001b[\]P^_X]|[\u009d\u0090])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`, // titles and links, up to their end
    String.raw`\u001b[ -/]*[0-Z\\\x60-~]`, // single orders
  ].join('|'),
  'g',
)

/** What a program printed, as text: no page and no model obeys the codes of a terminal, and nobody reads them. */
export function withoutTerminalCodes(text: string): string {
  return text.replaceAll(codes, '')
}

const colour = new RegExp(String.raw`^(?:\u001b\[|\u009b)[\d;:]*m$`)

/** The same with its colours left in, for what can show them. */
export function withoutCursorCodes(text: string): string {
  return text.replaceAll(codes, (code) => (colour.test(code) ? code : ''))
}
