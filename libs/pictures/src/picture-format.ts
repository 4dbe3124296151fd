/** The formats that are decoded. Every other format, such as SVG, is refused before a decoder reads it. */
const PICTURE_FORMATS = ['jpeg', 'png', 'webp'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/**
 * The format of a file by its content. Null for any other format, for a truncated file, and for a file with appended data:
 * with such data a file can be both a picture and an archive or web page. A second JPEG is allowed, because cameras append
 * one (CIPA DC-007, multi-picture).
 */
export function pictureFormatOf(bytes: Buffer): PictureFormat | null {
  const format = formatByStart(bytes)
  return format !== null && IS_WHOLE[format](bytes) ? format : null
}

/** The format that the first `FORMAT_START_BYTES` of a file name; null for any other. The rest of the file may be anything. */
export function formatByStart(bytes: Buffer): PictureFormat | null {
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === JPEG_START) return 'jpeg'
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  return isRiff(bytes) ? 'webp' : null
}

export const FORMAT_START_BYTES = 12

const JPEG_START = 0xffd8ff
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_LAST_CHUNK = 'IEND'
const PNG_TEXTS = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * The most scans of a JPEG. Encoders write a dozen. Each is decoded for all pixels, also when it has no data: a file of 130 kB could take
 * twenty seconds, which the decoder's own time limit does not end.
 */
export const MAX_JPEG_SCANS = 50

/** The most chunks of a PNG. Encoders write chunks of some kilobytes; ten megabytes of empty ones would be read for most of a second. */
export const MAX_PNG_CHUNKS = 20_000

const isRiff = (bytes: Buffer): boolean =>
  bytes.length >= FORMAT_START_BYTES &&
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, 12) === 'WEBP'
const isWholeWebp = (bytes: Buffer): boolean => bytes.readUInt32LE(4) + 8 === evenLength(bytes)
// RIFF pads a chunk to an even length; some writers forget the last pad.
const evenLength = (bytes: Buffer): number => bytes.length + (bytes.length % 2)

/**
 * A PNG without its text chunks, which are not stored anyway. A decoder unpacks each of them, and a few bytes can unpack to
 * 50 MB, so that a file of 10 MB can take minutes.
 */
export function withoutTexts(png: Buffer): Buffer {
  const kept = pngChunks(png).filter(({ type }) => !PNG_TEXTS.has(type))
  return Buffer.concat([PNG_SIGNATURE, ...kept.map(({ start, end }) => png.subarray(start, end))])
}

function isWholePng(bytes: Buffer): boolean {
  const last = pngChunks(bytes).at(-1)
  return last?.type === PNG_LAST_CHUNK && last.end === bytes.length
}

interface PngChunk {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Reads the chunks (length, type, data, checksum) up to the last complete one, at most `MAX_PNG_CHUNKS`. */
function pngChunks(bytes: Buffer): PngChunk[] {
  const chunks: PngChunk[] = []
  let start = PNG_SIGNATURE.length
  while (start + 12 <= bytes.length && chunks.length < MAX_PNG_CHUNKS) {
    const type = bytes.toString('latin1', start + 4, start + 8)
    const end = start + bytes.readUInt32BE(start) + 12
    chunks.push({ type, start, end })
    if (type === PNG_LAST_CHUNK) break
    start = end
  }
  return chunks
}

function isWholeJpeg(bytes: Buffer): boolean {
  const end = endOfJpeg(bytes)
  if (end === null) return false
  const tail = bytes.subarray(end)
  return tail.every(byte => byte === 0) || (tail.length >= 3 && tail.readUIntBE(0, 3) === JPEG_START)
}

/** Reads the segments (ITU-T T.81, annex B) up to the end-of-image marker; null when there is none, or too many scans. */
function endOfJpeg(bytes: Buffer): number | null {
  let at = 2
  let scans = 0
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === 0xd9) return at + 2
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else {
      if (at + 4 > bytes.length) return null
      at += 2 + bytes.readUInt16BE(at + 2)
      if (marker === 0xda) {
        if (++scans > MAX_JPEG_SCANS) return null
        at = endOfScan(bytes, at)
      }
    }
  }
  return null
}

const IS_WHOLE: Record<PictureFormat, (bytes: Buffer) => boolean> = {
  jpeg: isWholeJpeg,
  png: isWholePng,
  webp: isWholeWebp,
}

const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Reads the picture's data up to a marker: 0xFF that is not followed by a stuffed zero or a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start)
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1]!
    if (next !== 0 && !isBare(next)) return at
    at = bytes.indexOf(0xff, at + 2)
  }
  return bytes.length
}
