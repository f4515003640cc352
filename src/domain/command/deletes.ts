/** Words by which programs delete, or put something else in the place of what is there. */
const deleting =
  /(?<![\w.-])(?:rm|rmdir|unlink|shred|mv|rsync|trash|rimraf|del|srm|find|fd)(?![\w-])|\b(?:rmtree|rmSync|rmdirSync|unlinkSync|removeSync|remove_dir_all|rm_rf|rm_r|removedirs)\b|\bgit\s(?:[^;|&\n]*\s)?clean\b|\bdelete\b/

/** Targets that mean everything here, or nobody can tell from the text. */
const broad =
  /(?<=^|[\s'"=(])(?:\.{1,2}\/?|\/|~|(?:\.?\/)?\.?\*|\.\[\S+|\$[\w{(]\S*|`\S*)(?=$|[\s'";|&)])|\bgit\s[^;|&\n]*clean\s[^;|&\n]*-\w*[xX]/

/**
 * Whether a command, by its words, may delete a folder that no checkpoint holds. It is asked about rather once too often: what a program does
 * that is not named here is found out afterwards and told.
 */
export function mayDelete(command: string, folder: string): boolean {
  return deleting.test(command) && (broad.test(command) || namesPath(command, folder))
}

/** By the whole of it, by a part of the way there, or by its own name. */
function namesPath(command: string, folder: string): boolean {
  const parts = folder.split('/')
  const names = [...parts.keys()].flatMap((at) => [parts.slice(0, at + 1).join('/'), parts.slice(at).join('/')])
  return names.some((name) => new RegExp(String.raw`(?<![\w.-])${escaped(name)}(?![\w.-])`).test(command))
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
