/**
 * Normalises text for the search: lower case, without accents and punctuation. Indexed texts and queries of every search are both
 * normalised by this function, so a match does not depend on the database's locale.
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
 * A query for PostgreSQL's `simple` configuration that matches texts in which every word of `question` begins a word.
 * Null when `question` has no word.
 */
export function prefixQuery(question: string): string | null {
  const words = searchText(question).split(' ').filter(Boolean)
  return words.length === 0 ? null : words.map(word => `'${word}':*`).join(' & ')
}
