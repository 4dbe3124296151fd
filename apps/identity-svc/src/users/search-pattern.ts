/** The LIKE pattern of what begins with `text`, in lower case; its own wildcards mean themselves. */
export function prefixPattern(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** What a person types as a handle or a full name, with the parts that our records do not have: `@ana`, two spaces. */
export function normaliseQuery(query: string): string {
  return query.trim().replace(/^@/, '').replace(/\s+/g, ' ')
}
