import { pauseAfter } from '@holdfast/kernel/backoff'
import { unsubscribeHere } from './browser-push.js'
import { forgetUser, refreshCurrentUser } from './current-user.js'
import { findSignOut, lastSignOut, onSignOutChange, SIGN_OUT_NAME, trySignOut } from './pending-sign-out.js'

const PAUSES = { firstMs: 1_000, longestMs: 60_000 }

/** Tries again to end a session that is still open. Afterwards the page shows who is signed in. */
export async function retrySignOut(): Promise<void> {
  if (findSignOut() && (await trySignOut())) await refreshCurrentUser().catch(() => undefined)
}

/**
 * Keeps trying to end a session whose end the server has not confirmed: after a pause that grows with each failure, and whenever the browser is
 * used, online again, or opens a page. Follows what other tabs do. Answers the function that ends all this.
 */
export function followSignOuts(): () => void {
  let known = lastSignOut()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    known = lastSignOut()
    if (!findSignOut()?.hasFailed) {
      failures = 0
      return
    }
    failures++
    if (failures === 1) stopPush()
    timer = setTimeout(() => void retrySignOut(), pauseAfter(failures, PAUSES))
  }
  const retryWhenSeen = () => {
    if (document.visibilityState === 'visible') void retrySignOut()
  }
  /** Another tab may have signed out, also while the browser kept this page for its Back button. */
  const follow = async () => {
    if (known !== lastSignOut()) await forgetUser()
    plan()
    if (!findSignOut()) await refreshCurrentUser().catch(() => undefined)
  }
  const controller = new AbortController()
  const { signal } = controller
  window.addEventListener('storage', ({ key }) => key === SIGN_OUT_NAME && void follow(), { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && void follow(), { signal })
  for (const name of ['focus', 'online', 'pageshow'] as const) window.addEventListener(name, retryWhenSeen, { signal })
  document.addEventListener('visibilitychange', retryWhenSeen, { signal })
  const stopListening = onSignOutChange(plan)
  plan()
  retryWhenSeen()
  return () => {
    controller.abort()
    stopListening()
    clearTimeout(timer)
  }
}

/** A session that is still open gets push messages, which anybody at this browser would read. */
function stopPush() {
  unsubscribeHere().catch((error: unknown) => console.error('push messages could not be stopped', error))
}
