/** The part of picomatch we use; the package brings no types of its own. */
declare module 'picomatch' {
  function picomatch(glob: string, options?: { dot?: boolean }): (path: string) => boolean
  export = picomatch
}
