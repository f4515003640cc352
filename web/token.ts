const KEY = 'troupe.token'

/** Takes the token out of the address (`#token=…`) so that it is neither shown, copied nor kept in the history. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given === null) return
  localStorage.setItem(KEY, given)
  history.replaceState(null, '', location.pathname + location.search)
}

export function token(): string | null {
  return localStorage.getItem(KEY)
}
