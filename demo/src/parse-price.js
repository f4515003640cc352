/** A price as a person types it, in cents. */
export function parsePrice(text) {
  const amount = Number.parseFloat(text.replace('$', '').trim())
  if (Number.isNaN(amount)) throw new Error(`"${text}" is not a price`)
  return Math.round(amount * 100)
}
