/** More files than this are counted. */
const FILES_NAMED = 5

/** That the checkout holds uncommitted changes which are not in the work; nothing where all is committed. */
export function uncommittedNotice(files: readonly string[]): string[] {
  if (files.length === 0) return []
  const named = files.slice(0, FILES_NAMED).join(', ')
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : ''
  return [`Your uncommitted changes are not in it: ${named}${more}`]
}
