/** The LIKE pattern for values that begin with `text`, in lower case; wildcards in `text` are escaped. */
export function prefixPattern(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** A search as users type it, without what the stored names never have: a leading `@`, repeated spaces. */
export function normaliseQuery(query: string): string {
  return query.trim().replace(/^@/, '').replace(/\s+/g, ' ')
}
