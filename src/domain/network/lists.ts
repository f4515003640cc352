/** What installing packages needs, by the name of the place they come from. */
// oxfmt-ignore
export const readyLists = {
  npm:    ['registry.npmjs.org:443', 'registry.yarnpkg.com:443'],
  pypi:   ['pypi.org:443', 'files.pythonhosted.org:443'],
  crates: ['crates.io:443', 'index.crates.io:443', 'static.crates.io:443'],
  go:     ['proxy.golang.org:443', 'sum.golang.org:443'],
  github: ['github.com:443', 'api.github.com:443', 'codeload.github.com:443', '*.githubusercontent.com:443'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A name of one of them. */
export function isListName(text: string): text is keyof typeof readyLists {
  return Object.hasOwn(readyLists, text)
}
