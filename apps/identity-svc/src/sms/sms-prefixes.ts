/** The beginnings of phone numbers to which texts are sent, and of those to which none are. */
export interface SmsPrefixes {
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
}

const PREFIX = /^!?\+\d{1,14}$/

/**
 * Reads a list such as `+1,+44,!+1876`: texts go to the United States, Canada and the United Kingdom, and not to Jamaica, which shares
 * `+1`. Null for another form.
 */
export function smsPrefixesOf(list: string): SmsPrefixes | null {
  const entries = list.split(',').map(entry => entry.trim())
  if (!entries.every(entry => PREFIX.test(entry))) return null
  return {
    allowed: entries.filter(entry => !entry.startsWith('!')),
    refused: entries.filter(entry => entry.startsWith('!')).map(entry => entry.slice(1)),
  }
}

/** Whether texts are sent to a number in E.164 form. The longest entry with which it begins decides. */
export function isAllowedBy({ allowed, refused }: SmsPrefixes, number: string): boolean {
  const longestOf = (entries: readonly string[]) =>
    Math.max(0, ...entries.filter(entry => number.startsWith(entry)).map(entry => entry.length))
  return longestOf(allowed) > longestOf(refused)
}
