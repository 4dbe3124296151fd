import { deflateSync } from 'node:zlib'

/**
 * A PNG of one colour, for the picture of a listing.
 *
 * @param {number} width
 * @param {number} height
 * @param {number[]} colour
 * @param {string} comment what its file says beside the pixels, as cameras write who took a picture and where
 */
export function png(width, height, [red, green, blue], comment = 'none') {
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) row.set([red, green, blue], 1 + x * 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, true colour, no interlacing.
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`, 'latin1')),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {Parameters<typeof png>} of */
export const pngDataUrl = (...of) => `data:image/png;base64,${png(...of).toString('base64')}`

/**
 * The pictures of an identity verification.
 *
 * @param {string} [comment] as that of `png`
 */
export function documents(comment) {
  const picture = pngDataUrl(60, 40, [200, 190, 170], comment)
  return { idFrontImage: picture, idBackImage: picture, selfieImage: picture }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, check])
}

function crc(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
