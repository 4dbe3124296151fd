import { LISTING_IMAGE_BOX, LISTING_IMAGE_QUALITY } from '@holdfast/kernel/images'
import { refusalOfFile, scaleImage, UnreadableImage } from './scale-image.js'

/** A picture that was scaled, and the name of its file. */
export interface ScaledFile {
  readonly name: string
  /** Data URL. */
  readonly image: string
}

interface Picked {
  readonly scaled: readonly ScaledFile[]
  /** Toasts to show, in the spec's words, with the names of the files that are left out. */
  readonly refusals: readonly { readonly title: string; readonly text: string }[]
}

/**
 * Scales picked files that are to be added to `present` pictures. A file that cannot be used takes no place. What is over the limit is
 * left out from the end. One file is scaled after the other: twenty large photographs at once can exhaust a phone's memory.
 *
 * @param max the most pictures together
 */
export async function pickFiles(files: readonly File[], present: number, max: number): Promise<Picked> {
  const room = max - present
  const scaled: ScaledFile[] = []
  const over: string[] = []
  const refusals: { title: string; text: string }[] = []
  let hasFailed = false
  for (const file of files) {
    const refusal = refusalOfFile(file)
    if (refusal !== null) refusals.push(invalid(file, refusal))
    else if (scaled.length === room) over.push(file.name)
    else {
      try {
        const { dataUrl } = await scaleImage(file, LISTING_IMAGE_BOX, LISTING_IMAGE_QUALITY)
        scaled.push({ name: file.name, image: dataUrl })
      } catch (error) {
        if (error instanceof UnreadableImage) refusals.push(invalid(file, error.message))
        else {
          console.error('scaling a picture failed', error)
          hasFailed = true
        }
      }
    }
  }
  if (hasFailed)
    refusals.push({ title: 'Error compressing images', text: 'Failed to process images. Please try again.' })
  if (over.length > 0) {
    const text = `You can only add ${room} more images (${max} total maximum)`
    refusals.push({ title: 'Too many images', text: `${text}. Left out: ${namesOf(over)}` })
  }
  return { scaled, refusals }
}

/** Somebody may have picked a whole folder. */
const MAX_NAMED = 5
const namesOf = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '')

const invalid = ({ name }: File, refusal: string) => ({ title: 'Invalid file', text: `${name}: ${refusal}` })
