import { gitText, LIST_BYTES } from './repository.ts'

/** A checkout as git sees it. */
export interface CheckoutStatus {
  /** The commit it is at; null before the first. */
  head: string | null
  /** The branch it is on; null when it is on none. */
  branch: string | null
  /** Files that are changed, staged or new and not ignored; a nested repository ends with a slash. */
  files: string[]
  /** Whether something is staged that is no longer in the file it was staged from. */
  overwrites: boolean
}

/** The commit of a checkout and what in it is not committed, by one question. */
export async function statusOf(path: string, env: Readonly<Record<string, string>> = {}): Promise<CheckoutStatus> {
  const args = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--no-renames', '--untracked-files=all'] as const
  const fields = (await gitText(path, args, { env, outputBytes: LIST_BYTES })).split('\0')
  const head = headerOf(fields, 'branch.oid')
  const branch = headerOf(fields, 'branch.head')
  return {
    head: head === '(initial)' ? null : head,
    branch: branch === '(detached)' ? null : branch,
    files: fields.flatMap((field) => fileOf(field) ?? []),
    overwrites: fields.some((field) => /^1 [^.][^.] /.test(field)),
  }
}

function headerOf(fields: readonly string[], name: string): string {
  const start = `# ${name} `
  return fields.find((field) => field.startsWith(start))?.slice(start.length) ?? ''
}

/** So many words come before the name of a file, by the kind of line. */
const wordsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 }

function fileOf(field: string): string | null {
  const words = wordsBefore[field.charAt(0)]
  return words === undefined ? null : field.split(' ').slice(words).join(' ')
}
