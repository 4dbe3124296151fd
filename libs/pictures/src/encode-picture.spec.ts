import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import {
  encodePicture,
  MAX_IMAGE_SIDE,
  MAX_WHOLE_PICTURE_BYTES,
  measurePicture,
  STORED_IMAGE_BOX,
} from './encode-picture.js'
import { MAX_JPEG_SCANS, MAX_PNG_CHUNKS, withoutTexts } from './picture-format.js'

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 10, g: 120, b: 200 } } })

async function encoded(bytes: Buffer) {
  const measured = await measurePicture(bytes)
  return typeof measured === 'string' ? measured : encodePicture(measured)
}
async function jpegOf(bytes: Buffer): Promise<Buffer> {
  const jpeg = await encoded(bytes)
  if (typeof jpeg === 'string') throw new Error(`refused: ${jpeg}`)
  return jpeg
}
async function refusalOf(bytes: Buffer) {
  const jpeg = await encoded(bytes)
  return typeof jpeg === 'string' ? jpeg : null
}

/** A PNG with compressed texts (zTXt, PNG specification 11.3.3.3) after its header. */
function withTexts(png: Buffer, count: number): Buffer {
  const headerEnd = 8 + 25
  const typeAndData = Buffer.concat([Buffer.from('zTXtnote\0\0', 'latin1'), deflateSync(Buffer.alloc(100_000))])
  const chunk = Buffer.alloc(typeAndData.length + 8)
  chunk.writeUInt32BE(typeAndData.length - 4)
  typeAndData.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(typeAndData), chunk.length - 4)
  return Buffer.concat([png.subarray(0, headerEnd), ...Array<Buffer>(count).fill(chunk), png.subarray(headerEnd)])
}

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('that is a %s becomes a JPEG', async format => {
    const jpeg = await jpegOf(await picture()[format]().toBuffer())
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 40, space: 'srgb' })
  })

  it('loses location, camera, colour profile and comments', async () => {
    const exif = {
      IFD0: { Make: 'Camera', Artist: 'Ana' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    }
    const told = await picture()
      .withExif(exif)
      .withIccProfile('p3')
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .jpeg()
      .toBuffer()
    expect(await sharp(told).metadata()).toMatchObject({ exif: expect.anything(), icc: expect.anything() })
    const jpeg = await jpegOf(told)
    const { exif: left, icc, xmp, iptc } = await sharp(jpeg).metadata()
    expect({ left, icc, xmp, iptc }).toEqual({ left: undefined, icc: undefined, xmp: undefined, iptc: undefined })
    for (const trace of ['Exif', 'Camera', 'Ana', 'GPS', 'ICC_PROFILE', 'xmpmeta'])
      expect(jpeg.includes(trace)).toBe(false)
  })

  it('is rotated upright', async () => {
    const lying = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await sharp(await jpegOf(lying)).metadata()).toMatchObject({ width: 40, height: 60 })
  })

  it('is scaled down into the box, and never up', async () => {
    const large = await sharp(await jpegOf(await picture(4000, 1000).jpeg().toBuffer())).metadata()
    expect([large.width, large.height]).toEqual([STORED_IMAGE_BOX.width, 400])
    const small = await sharp(await jpegOf(await picture(3, 2).png().toBuffer())).metadata()
    expect([small.width, small.height]).toEqual([3, 2])
  })

  it('with transparency gets a white background', async () => {
    const clear = await sharp({
      create: { width: 4, height: 4, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const { data } = await sharp(await jpegOf(clear))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(250)
  })

  it('in CMYK becomes sRGB', async () => {
    const cmyk = await picture().toColourspace('cmyk').jpeg().toBuffer()
    expect(await sharp(await jpegOf(cmyk)).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  })

  it('is encoded to the same bytes each time', async () => {
    const bytes = await picture(500, 300).png().toBuffer()
    expect(await jpegOf(bytes)).toEqual(await jpegOf(bytes))
  })

  it('with a second JPEG appended by the camera is accepted', async () => {
    const [first, second] = [await picture().jpeg().toBuffer(), await picture(10, 10).jpeg().toBuffer()]
    expect(await refusalOf(Buffer.concat([first, second]))).toBeNull()
  })

  it('is decoded without its text chunks, each of which could unpack to megabytes', async () => {
    const plain = await picture().png().toBuffer()
    const told = withTexts(plain, 3)
    expect(told.includes('zTXt')).toBe(true)
    expect(withoutTexts(told)).toEqual(plain)
    expect(await jpegOf(told)).toEqual(await jpegOf(plain))
  })

  it('that is progressive is accepted', async () => {
    expect(await refusalOf(await picture(300, 200).jpeg({ progressive: true }).toBuffer())).toBeNull()
    expect(await refusalOf(await picture(300, 200).png({ progressive: true }).toBuffer())).toBeNull()
  })
})

/**
 * A grey JPEG of 64 by 64 pixels in `count` scans, each of which refines one coefficient of all blocks by a bit (ITU-T T.81, annex G).
 * Its blocks are empty, so a scan needs a few bytes, whatever the picture's size is.
 */
function jpegInScans(count: number): Buffer {
  const segment = (marker: number, ...bytes: number[]) => Buffer.from([0xff, marker, 0, bytes.length + 2, ...bytes])
  const oneCode = (table: number, symbol: number) => segment(0xc4, table, 1, ...Array<number>(15).fill(0), symbol)
  const firstScan = Buffer.concat([segment(0xda, 1, 1, 0, 0, 0, 0), Buffer.alloc(8)])
  const scans = Array.from({ length: count - 1 }, (_, nth) => {
    const [coefficient, bit] = [1 + Math.floor(nth / 14), 13 - (nth % 14)]
    const bits = bit === 13 ? 13 : ((bit + 1) << 4) | bit
    return Buffer.concat([segment(0xda, 1, 1, 0, coefficient, coefficient, bits), Buffer.from([0x01])])
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, 0, 64, 0, 64, 1, 1, 0x11, 0),
    ...[oneCode(0, 0), oneCode(0x10, 0x60), firstScan, ...scans],
    Buffer.from([0xff, 0xd9]),
  ])
}

describe('encodePicture refuses', () => {
  it('a JPEG in more scans than an encoder writes: a scan of a few bytes takes as long as all pixels', async () => {
    expect(await refusalOf(jpegInScans(MAX_JPEG_SCANS))).toBeNull()
    expect(await refusalOf(jpegInScans(MAX_JPEG_SCANS + 1))).toBe('not-a-picture')
  })

  it('a PNG in more chunks than an encoder writes: while they are read, the service does nothing else', async () => {
    const png = await picture().png().toBuffer()
    const empty = Buffer.alloc(12)
    empty.write('noTe', 4, 'latin1')
    empty.writeUInt32BE(crc32(empty.subarray(4, 8)), 8)
    const headerEnd = 8 + 25
    const withEmpty = (count: number) =>
      Buffer.concat([png.subarray(0, headerEnd), ...Array<Buffer>(count).fill(empty), png.subarray(headerEnd)])
    expect(await refusalOf(withEmpty(MAX_PNG_CHUNKS / 2))).toBeNull()
    expect(await refusalOf(withEmpty(MAX_PNG_CHUNKS))).toBe('not-a-picture')
  })

  it.each(['gif', 'avif', 'tiff'] as const)('a %s', async format => {
    expect(await refusalOf(await picture()[format]().toBuffer())).toBe('not-a-picture')
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
    ['two bytes', '\xff\xd8'],
    ['a GIF that is a script', 'GIF89a=1;alert(1)//'],
  ])('%s', async (_, text) => {
    expect(await refusalOf(Buffer.from(text, 'latin1'))).toBe('not-a-picture')
  })

  it.each(['jpeg', 'png', 'webp'] as const)('a truncated %s', async format => {
    const whole = await sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
      },
    })
      [format]()
      .toBuffer()
    for (const share of [0.01, 0.3, 0.6, 0.9, 0.999]) {
      expect(await refusalOf(whole.subarray(0, Math.floor(whole.length * share)))).toBe('not-a-picture')
    }
  })

  it.each(['jpeg', 'png', 'webp'] as const)('a %s with an appended archive or page', async format => {
    const whole = await picture()[format]().toBuffer()
    for (const tail of ['PK\x03\x04archive', '<script>alert(1)</script>', '%PDF-1.7']) {
      expect(await refusalOf(Buffer.concat([whole, Buffer.from(tail, 'latin1')]))).toBe('not-a-picture')
    }
  })

  it('the header of one format with the body of another', async () => {
    const [png, jpeg] = [await picture().png().toBuffer(), await picture().jpeg().toBuffer()]
    expect(await refusalOf(Buffer.concat([png.subarray(0, 8), jpeg]))).toBe('not-a-picture')
    expect(await refusalOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), png]))).toBe('not-a-picture')
  })

  it('a small file that decodes to more than 40 megapixels', async () => {
    expect(await refusalOf(await picture(8001, 5000).png().toBuffer())).toBe('too-many-pixels')
    expect(await refusalOf(await picture(8001, 5000).jpeg().toBuffer())).toBe('too-many-pixels')
  })

  it('a picture one pixel wide that takes long to scale', async () => {
    expect(
      await refusalOf(
        await picture(1, MAX_IMAGE_SIDE + 1)
          .png()
          .toBuffer(),
      ),
    ).toBe('too-long')
    expect(
      await refusalOf(
        await picture(MAX_IMAGE_SIDE + 1, 1)
          .png()
          .toBuffer(),
      ),
    ).toBe('too-long')
    expect(await refusalOf(await picture(1, MAX_IMAGE_SIDE).png().toBuffer())).toBeNull()
  })

  it('a header of 40,000 by 40,000 pixels without data', async () => {
    const png = await picture(10, 10).png().toBuffer()
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(40_000, 16)
    bomb.writeUInt32BE(40_000, 20)
    expect(await refusalOf(bomb)).not.toBeNull()
  })

  it('an interlaced picture that would need too much memory', async () => {
    const deep = await picture(5000, 6000).ensureAlpha().toColourspace('rgb16').png({ progressive: true }).toBuffer()
    expect(5000 * 6000 * 8).toBeGreaterThan(MAX_WHOLE_PICTURE_BYTES)
    expect(await refusalOf(deep)).toBe('too-many-pixels')
  })

  it('random bytes after a valid header, without a crash', async () => {
    const noise = deflateRawSync(Buffer.alloc(5000, 'noise'))
    for (const head of [
      [0xff, 0xd8, 0xff, 0xe0],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ]) {
      expect(await refusalOf(Buffer.concat([Buffer.from(head), noise]))).toBe('not-a-picture')
    }
  })
})
