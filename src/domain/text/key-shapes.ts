/** What stands in the place of a secret. */
export const MASK = '[masked]'

/** How a mark of what was cut out of a text looks, whoever cut it. */
const CUT = '\\n\\[… \\d+ (?:bytes|characters) cut …\\]\\n'

/** Splits a text where it was cut; every second piece is such a mark. */
export const cuts = new RegExp(`(${CUT})`)

/** Letters of which most keys are made. */
const K = '[A-Za-z0-9_-]'

/**
 * Shapes in which keys are handed out; a value that looks like one is a secret whoever it belongs to. Each begins with something that
 * ordinary text does not, then so many letters: `start` alone marks a key whose rest was cut off. Every repetition is bounded or
 * follows a fixed start, so that no text takes long. Where ordinary names begin alike, a key that was cut is told by a digit.
 */
// oxfmt-ignore
const shapes: readonly { start: string; rest: string; isCommon?: true }[] = [
  { start: 'sk-',                                              rest: `(?=${K}{0,40}(?:\\d|[A-Za-z0-9]{16}))${K}{16,}`, isCommon: true },   // OpenAI, Anthropic, OpenRouter
  { start: 'gh[pousr]_',                                       rest: '[A-Za-z0-9]{20,}' },                                 // GitHub
  { start: 'github_pat_',                                      rest: '[A-Za-z0-9_]{20,}' },
  { start: 'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-',   rest: `[A-Za-z0-9_.-]{16,}` },                              // GitLab
  { start: 'xox[abceoprs]-',                                   rest: '[A-Za-z0-9-]{10,}' },                                // Slack
  { start: 'xapp-',                                            rest: '[A-Za-z0-9-]{10,}' },
  { start: '(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|ABIA|ACCA)', rest: '[A-Z0-9]{16}\\b' },                                  // AWS
  { start: 'AIza',                                             rest: `${K}{30,}` },                                        // Google
  { start: 'ya29\\.',                                          rest: `[A-Za-z0-9_.-]{20,}` },
  { start: 'GOCSPX-',                                          rest: `${K}{20,}` },
  { start: '(?:sk|rk|pk)_(?:live|test)_',                      rest: '[A-Za-z0-9]{10,}' },                                 // Stripe
  { start: 'whsec_',                                           rest: '[A-Za-z0-9+/=]{20,}' },
  { start: 'npm_',                                             rest: '[A-Za-z0-9]{30,}', isCommon: true },                                 // npm
  { start: 'hf_',                                              rest: '[A-Za-z0-9]{20,}', isCommon: true },                                 // Hugging Face
  { start: 'pypi-',                                            rest: `${K}{50,}`, isCommon: true },                                        // PyPI
  { start: 'do[opr]_v1_',                                      rest: '[a-f0-9]{40,}' },                                    // DigitalOcean
  { start: 'SG\\.',                                            rest: `${K}{16,}\\.${K}{16,}`, isCommon: true },                            // SendGrid
  { start: 'dckr_pat_',                                        rest: `${K}{20,}` },                                        // Docker
  { start: 'eyJ(?:hbGciOi|0eXAiOi|raWQiOi|jdHkiOi)',           rest: `${K}{4,}(?:\\.${K}*){0,2}` },                        // a token of JSON (JWT)
  { start: 'eyJ',                                              rest: `${K}{10,}\\.eyJ${K}{10,}(?:\\.${K}*)?`, isCommon: true },
]

const key = new RegExp(`(?<![A-Za-z0-9])(?:${shapes.map(({ start, rest }) => start + rest).join('|')})`, 'g')

/** Whether there may be any: most texts hold none, and this is found out in a fraction of the time. */
const someStart = new RegExp(shapes.map(({ start }) => start).join('|'))

/** The beginning of a key at the very end of a text, and how far from there it can begin. */
const AT_MOST = 220
const cutKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${shapes.map(({ start, isCommon }) => start + (isCommon ? '(?=[A-Za-z0-9-]{0,200}\\d)' : '')).join('|')})[A-Za-z0-9_.+/=-]{4,200}$`,
)

/** The password of an address; not one that only stands for a password. */
const password =
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`]{0,200}:)(?![$<{*%[…]|(?:pass(?:word|wd)?|pw|secret|token|PASS(?:WORD)?|PW)@)[^\s@/'"`]{1,400}(?=@)/g

/** A private key, and what there is of one whose end was cut off. */
const BEGIN = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
const END = '-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----'
const privateKey = new RegExp(
  `${BEGIN}(?:[^]{0,20000}?${END}|(?:(?:\\s|\\\\[nr])*(?:[A-Za-z-]{4,20}: [^\\n]{0,200}|[A-Za-z0-9+/=]{12,}))*(?:(?:\\s|\\\\[nr])*[A-Za-z0-9+/=]*(?=${CUT}|$))?)`,
  'g',
)
const endOfKey = new RegExp(END, 'g')

/** A text in which nothing stands that looks like a key, a token, a private key or the password of an address. */
export function withoutKeys(text: string): string {
  const open = withoutEnds(text.replaceAll(privateKey, MASK))
  const plain = someStart.test(open) ? withoutCutKeys(open.replaceAll(key, MASK)) : open
  return plain.includes('://') ? plain.replaceAll(password, `$1${MASK}`) : plain
}

/** A key may be cut where the text was, and at its end. */
function withoutCutKeys(text: string): string {
  const pieces = text.split(cuts)
  return pieces.map((piece) => piece.slice(0, -AT_MOST) + piece.slice(-AT_MOST).replace(cutKey, MASK)).join('')
}

/** What comes before the end of a private key whose beginning was cut off. Walked by hand: as a pattern it could take very long. */
function withoutEnds(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let kept = ''
  let from = 0
  for (const { index, 0: end } of text.matchAll(endOfKey)) {
    let start = index
    while (start > from && /[A-Za-z0-9+/=\s\\]/.test(text[start - 1] ?? '')) start--
    kept += `${text.slice(from, start)}${MASK}`
    from = index + end.length
  }
  return kept + text.slice(from)
}

/** An address, however it was mistyped, without the password in it. */
export function maskedAddress(address: string): string {
  if (address.startsWith('sqlite:')) return address
  const scheme = /^[a-z][a-z0-9+.-]*:\/*/i.exec(address)?.[0] ?? ''
  const rest = address.slice(scheme.length)
  const [colon, at] = [rest.indexOf(':'), rest.lastIndexOf('@')]
  const isNamed = colon !== -1 && colon < at // else what looks like a scheme may be the name before the password
  const user = isNamed ? `${rest.slice(0, colon)}:` : ''
  const shown = at !== -1 && (isNamed || /[^/]$/.test(scheme)) ? `${scheme}${user}${MASK}${rest.slice(at)}` : address
  return shown.replaceAll(/((?:password|passwd|pwd|secret|token)\s*=\s*)('[^']*'|[^&\s]*)/gi, `$1${MASK}`)
}
