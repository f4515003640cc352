/** What installing packages needs, by the name of the place they come from; and whom an outside coding agent speaks to for its model and its login. */
// oxfmt-ignore
export const readyLists = {
  npm:    ['registry.npmjs.org:443', 'registry.yarnpkg.com:443'],
  pypi:   ['pypi.org:443', 'files.pythonhosted.org:443'],
  crates: ['crates.io:443', 'index.crates.io:443', 'static.crates.io:443'],
  go:     ['proxy.golang.org:443', 'sum.golang.org:443'],
  claude: ['api.anthropic.com:443', 'platform.claude.com:443', 'console.anthropic.com:443', 'claude.ai:443'],
  codex:  ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'],
  gemini: ['generativelanguage.googleapis.com:443', 'cloudcode-pa.googleapis.com:443', 'aiplatform.googleapis.com:443', 'oauth2.googleapis.com:443'],
  github: ['github.com:443', 'api.github.com:443', 'codeload.github.com:443', '*.githubusercontent.com:443'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A name of one of them. */
export function isListName(text: string): text is keyof typeof readyLists {
  return Object.hasOwn(readyLists, text)
}
