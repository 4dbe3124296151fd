import { MAX_MESSAGE_IMAGES } from '@holdfast/kernel/messages'
import { pickFiles } from '../../lib/pick-files.js'
import { toastError } from '../../lib/toast.js'

interface PickedPictures {
  /** Data URLs. */
  readonly images: readonly string[]
  /** Which files are left out, and why: a line for each reason. */
  readonly remarks: string
}

/**
 * Makes pictures for a message from picked files, scaled as those of listings. Says by toast which files are left out, and why.
 *
 * @param present how many pictures the message has already
 */
export async function pickPictures(files: readonly File[], present: number): Promise<PickedPictures> {
  const { scaled, refusals } = await pickFiles(files, present, MAX_MESSAGE_IMAGES)
  for (const { title, text } of refusals) toastError(title, text)
  return { images: scaled.map(({ image }) => image), remarks: refusals.map(({ text }) => text).join('\n') }
}
