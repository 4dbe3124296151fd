/**
 * The first match of a pattern in a text.
 *
 * @param {RegExp} pattern
 * @param {string} text
 * @throws when there is none
 */
export function matchOf(pattern, text) {
  const found = pattern.exec(text)
  if (!found) throw new Error(`${pattern} is not in: ${text}`)
  return found[0]
}
