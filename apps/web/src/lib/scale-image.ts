import { MAX_PICKED_IMAGE_BYTES } from '@holdfast/kernel/images'

/** A picture ready to be sent. */
export interface ScaledImage {
  readonly dataUrl: string
  /** Bytes of the encoded picture, and of the file it was made from. */
  readonly size: number
  readonly originalSize: number
  /** Share of the original's bytes that was saved, 0 to 1. */
  readonly compressionRatio: number
}

export interface Box {
  readonly width: number
  readonly height: number
}

/** Why a picked file cannot be used (spec section 8), or null when it can. */
export function refusalOfFile(file: Pick<File, 'type' | 'size'>): string | null {
  if (!file.type.startsWith('image/')) return 'File must be an image'
  if (file.size >= MAX_PICKED_IMAGE_BYTES) return 'File size must be less than 50MB'
  return null
}

/** The largest size with the proportions of `image` that fits into `box`; a smaller picture keeps its own. */
export function fitInto(image: Box, box: Box): Box {
  const scale = Math.min(1, box.width / image.width, box.height / image.height)
  return { width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)) }
}

/** The file is no picture that this browser can read, in the spec's words. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage'
}

/**
 * Scales a picture in the browser so that it fits into a box, upright as its camera meant it, and encodes it as JPEG.
 *
 * @param quality of the JPEG, 0 to 1
 * @throws UnreadableImage 'Failed to load image' when the file is no picture this browser can read
 */
export async function scaleImage(file: File, box: Box, quality: number): Promise<ScaledImage> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause: unknown) => {
    throw new UnreadableImage('Failed to load image', { cause })
  })
  try {
    const { width, height } = fitInto(bitmap, box)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) throw new Error('this browser cannot draw pictures')
    // JPEG knows no transparency: without a ground, see-through parts would turn black.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, width, height)
    context.drawImage(bitmap, 0, 0, width, height)
    return measured(canvas.toDataURL('image/jpeg', quality), file.size)
  } finally {
    bitmap.close()
  }
}

function measured(dataUrl: string, originalSize: number): ScaledImage {
  const base64Length = dataUrl.length - dataUrl.indexOf(',') - 1
  const size = Math.floor((base64Length * 3) / 4)
  return { dataUrl, size, originalSize, compressionRatio: originalSize > 0 ? 1 - size / originalSize : 0 }
}
