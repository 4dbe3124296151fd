import { LISTING_IMAGE_BOX, LISTING_IMAGE_QUALITY } from '@holdfast/kernel/images'
import { scaleImage, UnreadableImage } from './scale-image.js'

/** A picture that was scaled, and the name of its file. */
export interface ScaledFile {
  readonly name: string
  /** Data URL. */
  readonly image: string
}

/**
 * Scales pictures one after the other: twenty large photographs at once can exhaust a phone's memory. The name of a file that
 * is no picture is returned in `unreadable`, and the others are taken.
 */
export async function scaleAll(files: readonly File[]) {
  const scaled: ScaledFile[] = []
  const unreadable: string[] = []
  for (const file of files) {
    try {
      const { dataUrl } = await scaleImage(file, LISTING_IMAGE_BOX, LISTING_IMAGE_QUALITY)
      scaled.push({ name: file.name, image: dataUrl })
    } catch (error) {
      if (!(error instanceof UnreadableImage)) throw error
      unreadable.push(`${file.name}: ${error.message}`)
    }
  }
  return { scaled, unreadable }
}
