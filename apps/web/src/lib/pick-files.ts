import { refusalOfFile } from './scale-image.js'

interface Picked<F> {
  readonly accepted: readonly F[]
  /** Toasts to show, in the spec's words. */
  readonly refusals: readonly { readonly title: string; readonly text: string }[]
}

/**
 * Sorts picked files into those that may be added to `present` pictures and those that may not. What is over the limit is
 * dropped from the end.
 *
 * @param max the most pictures together
 */
export function pickFiles<F extends Pick<File, 'name' | 'type' | 'size'>>(
  files: readonly F[],
  present: number,
  max: number,
): Picked<F> {
  const room = max - present
  const refusals: { title: string; text: string }[] = []
  if (files.length > room) {
    refusals.push({
      title: 'Too many images',
      text: `You can only add ${room} more images (${max} total maximum)`,
    })
  }
  const accepted = files.slice(0, room).filter(file => {
    const refusal = refusalOfFile(file)
    if (refusal) refusals.push({ title: 'Invalid file', text: `${file.name}: ${refusal}` })
    return refusal === null
  })
  return { accepted, refusals }
}
