import { MAX_MESSAGE_IMAGES } from '@holdfast/kernel/messages'
import { pickFiles } from '../../lib/pick-files.js'
import { scaleAll } from '../../lib/scale-all.js'
import { toastError } from '../../lib/toast.js'

/**
 * Makes pictures for a message from picked files, scaled as those of listings. Says by toast which files are left out, and why.
 *
 * @param present how many pictures the message has already
 * @returns data URLs
 */
export async function pickPictures(files: readonly File[], present: number): Promise<readonly string[]> {
  const { accepted, refusals } = pickFiles(files, present, MAX_MESSAGE_IMAGES)
  for (const { title, text } of refusals) toastError(title, text)
  try {
    const { scaled, unreadable } = await scaleAll(accepted)
    for (const text of unreadable) toastError('Invalid file', text)
    return scaled.map(({ image }) => image)
  } catch (error) {
    console.error('scaling pictures failed', error)
    toastError('Error compressing images', 'Failed to process images. Please try again.')
    return []
  }
}
