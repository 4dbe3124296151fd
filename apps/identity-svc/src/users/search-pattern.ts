/** The LIKE pattern for values that begin with `text`, in lower case; wildcards in `text` are escaped. */
export function prefixPattern(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** Removes a leading `@` and repeated spaces from a search. Stored names have neither. */
export function normaliseQuery(query: string): string {
  return query.trim().replace(/^@/, '').replace(/\s+/g, ' ')
}
