/** Whether a path relative to the workspace fits a glob; a glob without a folder fits a name at any depth. */
export async function globMatcher(glob: string): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import('picomatch')
  const plain = glob.replace(/^\.?\//, '')
  return picomatch(plain.includes('/') ? plain : `**/${plain}`, { dot: true })
}
