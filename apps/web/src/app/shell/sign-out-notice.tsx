import { useRef, useState } from 'react'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { useSession } from '../../lib/current-user.js'
import { retry, useFailedSignOut } from '../../lib/pending-sign-out.js'

/** Over the page while the server has not confirmed a sign-out, and once it has. */
export function SignOutNotice() {
  const { user } = useSession()
  const hasFailed = useFailedSignOut()
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
    await retry()
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
