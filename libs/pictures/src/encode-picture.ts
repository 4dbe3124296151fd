import { type ImageWidth, MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import sharp, { type Metadata } from 'sharp'
import { pictureFormatOf, withoutTexts } from './picture-format.js'

/** The web app sends smaller pictures. This limits those of other clients. */
export const STORED_IMAGE_BOX = { width: 1600, height: 1600 } as const
const STORED_IMAGE_QUALITY = 80
/** How scaled pictures are encoded. Effort 2 in place of 4 saves 40 % of the time and makes 3 % more bytes. */
export const SCALED_CONTENT_TYPE = 'image/webp'
const SCALED_IMAGE_QUALITY = 75
const SCALED_IMAGE_EFFORT = 2
/**
 * An interlaced PNG cannot be decoded row by row, so all of it is in memory at once. The limit corresponds to 40 megapixels
 * of 8-bit RGBA. With 16 bits, which cameras do not write, it allows half as many.
 */
export const MAX_WHOLE_PICTURE_BYTES = MAX_IMAGE_PIXELS * 4
/** The largest side of a JPEG. A picture one pixel wide and ten million high would take seconds to scale. */
export const MAX_IMAGE_SIDE = 65_535
/** Only a picture made for an attack takes longer to decode. */
const MAX_ENCODE_SECONDS = 20

// One thread for each picture and no cache, because eight processes share the machine's memory.
sharp.concurrency(1)
sharp.cache(false)
// In addition to the format check, only these three decoders can run.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** The reasons to refuse a picture. */
export type PictureRefusal = 'not-a-picture' | 'too-many-pixels' | 'too-long'

/** A picture whose format and size are known. Its pixels are not decoded yet. */
export interface MeasuredPicture {
  readonly bytes: Buffer
  /** Width times height: what decoding costs. */
  readonly pixels: number
}

/** Reads the format and the size from the header of a picture. This is cheap, whatever the size is. */
export async function measurePicture(given: Buffer): Promise<MeasuredPicture | PictureRefusal> {
  const format = pictureFormatOf(given)
  if (format === null) return 'not-a-picture'
  const bytes = format === 'png' ? withoutTexts(given) : given
  return decoding(async () => {
    const found = await sharp(bytes, { limitInputPixels: false }).metadata()
    return sizeRefusal(found) ?? { bytes, pixels: found.width * found.height }
  })
}

/**
 * Decodes a JPEG, PNG or WebP and encodes it as a JPEG in sRGB, upright, within the box. Only the pixels are kept: no
 * location, camera, colour profile, comment or appended data. The same bytes give the same result.
 */
export const encodePicture = ({ bytes }: MeasuredPicture): Promise<Buffer | PictureRefusal> =>
  decoding(() =>
    sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_ENCODE_SECONDS })
      .autoOrient()
      .resize({ ...STORED_IMAGE_BOX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: STORED_IMAGE_QUALITY })
      .toBuffer(),
  )

/** The number of pixels of a stored picture. */
export async function pixelsOf(stored: Buffer): Promise<number> {
  const { width, height } = await sharp(stored).metadata()
  return width * height
}

/** Scales a stored picture down to a width, as a WebP. A narrower picture keeps its width. The same bytes give the same result. */
export const scalePicture = (stored: Buffer, width: ImageWidth): Promise<Buffer> =>
  sharp(stored, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
    .timeout({ seconds: MAX_ENCODE_SECONDS })
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: SCALED_IMAGE_QUALITY, effort: SCALED_IMAGE_EFFORT })
    .toBuffer()

/** The result of the decoder. It throws plain errors for every file that it cannot decode. */
async function decoding<T>(work: () => Promise<T>): Promise<T | PictureRefusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) return 'not-a-picture'
    throw error
  }
}

function sizeRefusal({ width, height, depth, format, isProgressive, channels }: Metadata): PictureRefusal | null {
  const pixels = width * height
  if (pixels > MAX_IMAGE_PIXELS) return 'too-many-pixels'
  if (Math.max(width, height) > MAX_IMAGE_SIDE) return 'too-long'
  const sampleBytes = depth === 'ushort' ? 2 : 1
  const isDecodedWhole = format === 'png' && Boolean(isProgressive)
  return isDecodedWhole && pixels * channels * sampleBytes > MAX_WHOLE_PICTURE_BYTES ? 'too-many-pixels' : null
}
