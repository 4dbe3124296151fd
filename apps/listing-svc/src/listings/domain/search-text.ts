/**
 * Text as the search sees it: lower case, without accents, words and numbers alone. What is indexed and what is asked
 * go through this same function, so they meet whatever language the database was set up in.
 */
export function searchText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * A query for PostgreSQL's `simple` configuration: every word must be there, or begin a word that is. Null when there
 * is no word in it.
 */
export function prefixQuery(question: string): string | null {
  const words = searchText(question).split(' ').filter(Boolean)
  return words.length === 0 ? null : words.map(word => `'${word}':*`).join(' & ')
}
