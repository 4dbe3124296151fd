import { type ComponentType, lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { dismissToast, useToast } from '../lib/toast.js'
import { useIdle } from '../lib/when-idle.js'

// Its code is a tenth of what a page loads, so the first page does not wait for it. A message that is sent earlier waits in its store.
const ToasterLater = lazy(() => import('../components/toaster.js'))

/** The messages that come after an act (`toast`). When the code of the toaster does not come, they are plain text. */
export function Messages({ Toaster = ToasterLater }: { Toaster?: ComponentType }) {
  const isIdle = useIdle()
  const hasMessage = useToast() !== null
  return (
    <ErrorBoundary FallbackComponent={PlainToast} onError={error => console.error(error)}>
      <Suspense>{(isIdle || hasMessage) && <Toaster />}</Suspense>
    </ErrorBoundary>
  )
}

/** It stays until it is dismissed. */
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
