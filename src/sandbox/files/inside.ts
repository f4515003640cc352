/** Whether a path is a folder or is in it. Both are absolute and free of `..` and links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
