import { lazy, Suspense, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useSession } from '../lib/current-user.js'
import { liveConnected, liveInterrupted } from '../lib/live/live-status.js'
import { dismissToast, useToast } from '../lib/toast.js'
import { useIdle } from '../lib/when-idle.js'

const Toaster = lazy(async () => ({ default: (await import('../components/toaster.js')).Toaster }))
const LiveEvents = lazy(async () => ({ default: (await import('../lib/live/live-events.js')).LiveEvents }))

/**
 * What the first page does not wait for. A message that is sent earlier waits in its store until the toaster is loaded. When
 * the code of a part does not come, the page goes on without it.
 */
export function Later() {
  const isIdle = useIdle()
  const hasMessage = useToast() !== null
  return (
    <>
      <ErrorBoundary FallbackComponent={PlainToast} onError={report}>
        <Suspense>{(isIdle || hasMessage) && <Toaster />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary FallbackComponent={NoLiveEvents} onError={report}>
        <Suspense>{isIdle && <LiveEvents />}</Suspense>
      </ErrorBoundary>
    </>
  )
}

const report = (error: unknown) => console.error(error)

/** Shows a message without the toaster's code. It stays until it is dismissed. */
function PlainToast() {
  const message = useToast()
  return (
    message && (
      <div
        role="alert"
        className="fixed inset-x-4 top-18 z-60 flex items-center justify-between gap-4 rounded-lg border border-rule bg-surface px-4 py-3 text-ink shadow-float sm:top-auto sm:bottom-4 sm:left-auto sm:max-w-sm"
      >
        <span>
          <strong>{message.title}</strong> {message.description}
        </span>
        <button type="button" className="min-h-11 font-semibold underline" onClick={() => dismissToast(message.id)}>
          Dismiss
        </button>
      </div>
    )
  )
}

/** Lets the page of a signed-in user say that it gets out of date. */
function NoLiveEvents(): null {
  const isSignedIn = Boolean(useSession().user)
  useEffect(() => {
    if (!isSignedIn) return
    liveInterrupted()
    return liveConnected
  }, [isSignedIn])
  return null
}
