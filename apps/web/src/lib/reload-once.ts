import { browserStore, orUndefined } from './browser-store.js'

const RELOADED_AT = 'holdfast:reloaded'
const AT_MOST_EVERY_MS = 60_000

/**
 * Loads the page again, because its code could not be loaded: the network failed, or a newer version has replaced the files. Chromium does not
 * request a script again that has failed, until the page is loaded again. Does nothing when the server does not answer. Does nothing within a
 * minute after it has loaded the page: when that did not help, another time would not help either.
 *
 * @param signal says that the user went on to another page, which must not lose what is typed there
 */
export async function reloadOnce(signal: AbortSignal, reload = () => window.location.reload()): Promise<void> {
  const read = () => Number(orUndefined(() => browserStore()?.getItem(RELOADED_AT)) ?? 0)
  const now = Date.now()
  if (now - read() < AT_MOST_EVERY_MS) return
  const isAnswered = await fetch('/', { cache: 'no-store', signal }).then(
    answer => answer.ok,
    () => false,
  )
  if (!isAnswered || signal.aborted) return
  orUndefined(() => browserStore()?.setItem(RELOADED_AT, String(now)))
  // A browser that keeps nothing would load the page again and again.
  if (read() === now) reload()
}
