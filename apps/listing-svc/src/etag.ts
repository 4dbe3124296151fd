/** Whether If-None-Match names the tag, by the weak comparison that caching wants (RFC 9110, 13.1.2). */
export function isNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const wanted = etag.replace(/^W\//, '')
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === wanted)
}
