import { useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useBlocker } from 'react-router-dom'
import { discardChanges, hasUnsavedChanges, useHasUnsavedChanges } from '../lib/unsaved-changes.js'
import { AlertDialog } from './alert-dialog.js'

const TITLE = 'Leave without saving?'

/** Asks before a page with changes that are not saved is left. The steps of a form are one page. */
export function LeaveQuestion({ Dialog = AlertDialog }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedChanges() && currentLocation.pathname !== nextLocation.pathname,
  )
  const mayAsk = useHasUnsavedChanges()
  const isAsking = blocker.state === 'blocked'
  const stay = () => blocker.reset?.()
  const leave = () => {
    discardChanges()
    blocker.proceed?.()
  }
  return (
    (mayAsk || isAsking) && (
      // Without it, the page and its changes would be lost when the code of the dialog does not come.
      <ErrorBoundary
        fallbackRender={() => isAsking && <BrowserQuestion onLeave={leave} onStay={stay} />}
        onError={error => console.error(error)}
      >
        <Dialog
          open={isAsking}
          title={TITLE}
          description="Your changes on this page are not saved."
          confirm="Leave"
          kind="trouble"
          cancel="Stay"
          busy={false}
          busyWords="Leave"
          onClose={stay}
          onConfirm={leave}
        />
      </ErrorBoundary>
    )
  )
}

function BrowserQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks once
  useEffect(() => (window.confirm(TITLE) ? onLeave() : onStay()), [])
  return null
}
