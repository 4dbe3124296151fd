import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { useSession } from '../../lib/current-user.js'
import { findSignOut, onSignOutChange } from '../../lib/pending-sign-out.js'
import { followSignOuts, retrySignOut } from '../../lib/sign-out-retries.js'

/** Keeps trying a sign-out that the server has not confirmed. Says over the page that it has failed, and that it is confirmed. */
export default function SignOutNotice() {
  const { user } = useSession()
  useEffect(followSignOuts, [])
  const hasFailed = useSyncExternalStore(onSignOutChange, () => findSignOut()?.hasFailed === true)
  const hadFailed = useRef(false)
  if (hasFailed) hadFailed.current = true
  if (user) hadFailed.current = false
  return (
    <div role="status" className="page empty:hidden *:mt-4">
      {hasFailed ? (
        <NotYet />
      ) : (
        hadFailed.current && <Notice title="You are signed out">The server has ended your session.</Notice>
      )}
    </div>
  )
}

function NotYet() {
  const [busy, setBusy] = useState(false)
  const tryAgain = async () => {
    setBusy(true)
    await retrySignOut()
    setBusy(false)
  }
  return (
    <Notice
      tone="trouble"
      title="This browser is not signed out yet"
      action={
        <Button kind="quiet" size="sm" busy={busy} onClick={() => void tryAgain()}>
          {busy ? 'Trying...' : 'Try Again Now'}
        </Button>
      }
    >
      The server did not confirm it, so your session is still open. Your account is not shown here without a new
      sign-in, and this page keeps trying. Do not leave a shared computer before this says that you are signed out.
    </Notice>
  )
}
