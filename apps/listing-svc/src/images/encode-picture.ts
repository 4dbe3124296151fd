import { MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import sharp from 'sharp'
import { pictureFormatOf, withoutTexts } from './domain/picture-format.js'

/** The browser scales to its own, smaller box first; this is for whoever calls the API by other means. */
export const STORED_IMAGE_BOX = { width: 1600, height: 1600 } as const
export const STORED_IMAGE_QUALITY = 80
/**
 * Interlaced PNGs cannot be read row by row: all of one lies in memory at once. 40 megapixels of 8-bit RGBA may; the
 * same with 16 bits, which no camera makes, would take twice as much.
 */
export const MAX_WHOLE_PICTURE_BYTES = MAX_IMAGE_PIXELS * 4
/** As much as a JPEG can have. A picture one pixel wide and ten million high takes seconds to scale. */
export const MAX_IMAGE_SIDE = 65_535
/** A picture that takes longer to decode was made to. */
const MAX_ENCODE_SECONDS = 20

// One thread a picture and no cache: eight processes share the machine's memory.
sharp.concurrency(1)
sharp.cache(false)
// What the format check lets through by mistake still meets only these three decoders.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** Why a picture was refused. */
export type PictureRefusal = 'not-a-picture' | 'too-many-pixels' | 'too-long'
export type EncodedPicture = { readonly jpeg: Buffer; readonly refusal: null } | { readonly refusal: PictureRefusal }

/**
 * Decodes a JPEG, PNG or WebP and writes it anew as a JPEG in sRGB, upright, within the box. Nothing but the pixels
 * survives: no place, camera, profile, comment or tail. The same bytes give the same result.
 */
export async function encodePicture(given: Buffer): Promise<EncodedPicture> {
  const format = pictureFormatOf(given)
  if (format === null) return { refusal: 'not-a-picture' }
  const bytes = format === 'png' ? withoutTexts(given) : given
  try {
    const refusal = await sizeRefusal(bytes)
    if (refusal) return { refusal }
    const jpeg = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_ENCODE_SECONDS })
      .autoOrient()
      .resize({ ...STORED_IMAGE_BOX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: STORED_IMAGE_QUALITY })
      .toBuffer()
    return { jpeg, refusal: null }
  } catch (error) {
    // The decoder throws plain errors; whatever it says of these bytes, they are not a picture we can show.
    if (error instanceof Error) return { refusal: 'not-a-picture' }
    throw error
  }
}

async function sizeRefusal(bytes: Buffer): Promise<PictureRefusal | null> {
  const found = await sharp(bytes, { limitInputPixels: false }).metadata()
  const pixels = found.width * found.height
  if (pixels > MAX_IMAGE_PIXELS) return 'too-many-pixels'
  if (Math.max(found.width, found.height) > MAX_IMAGE_SIDE) return 'too-long'
  const sampleBytes = found.depth === 'ushort' ? 2 : 1
  const liesWhole = found.format === 'png' && Boolean(found.isProgressive)
  return liesWhole && pixels * found.channels * sampleBytes > MAX_WHOLE_PICTURE_BYTES ? 'too-many-pixels' : null
}
