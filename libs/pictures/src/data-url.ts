const HEAD = /^data:image\/[a-z0-9.+-]{1,40};base64,/

/** The number of bytes in a base64 data URL, computed without decoding it; null for anything else. */
export function dataUrlBytes(dataUrl: string): number | null {
  const head = HEAD.exec(dataUrl)
  if (!head) return null
  const length = dataUrl.length - head[0].length
  const padding = dataUrl.endsWith('==') ? 2 : dataUrl.endsWith('=') ? 1 : 0
  // Without padding the last group may have two or three digits. With one digit the text is not base64.
  const unpadded = length - padding
  if (unpadded % 4 === 1 || (padding > 0 && length % 4 !== 0)) return null
  return Math.floor((unpadded * 3) / 4)
}

/** The first bytes of a base64 data URL, at most `count`. The rest is not decoded. */
export function firstBytes(dataUrl: string, count: number): Buffer {
  const start = dataUrl.indexOf(',') + 1
  return Buffer.from(dataUrl.slice(start, start + Math.ceil((count * 4) / 3)), 'base64')
}

/** The bytes of a data URL, or null when its base64 is malformed. The media type is ignored. */
export function decodeDataUrl(dataUrl: string): Buffer | null {
  const expected = dataUrlBytes(dataUrl)
  if (expected === null) return null
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  // Buffer skips characters that are not base64. The result is then too short.
  return bytes.length === expected ? bytes : null
}
