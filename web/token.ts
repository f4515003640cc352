const KEY = 'troupe.token'

/** Takes the token out of the address (`#token=…`) so that it is neither shown, copied nor kept in the history; says whether there was one. */
export function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given === null) return false
  localStorage.setItem(KEY, given)
  history.replaceState(null, '', location.pathname + location.search)
  return true
}

export function token(): string | null {
  return localStorage.getItem(KEY)
}
