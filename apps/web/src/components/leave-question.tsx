import { useBlocker } from 'react-router-dom'
import { discardChanges, hasUnsavedChanges, useHasUnsavedChanges } from '../lib/unsaved-changes.js'
import { AlertDialog } from './alert-dialog.js'

/** Asks before a page with changes that are not saved is left. The steps of a form are one page. */
export function LeaveQuestion() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedChanges() && currentLocation.pathname !== nextLocation.pathname,
  )
  const mayAsk = useHasUnsavedChanges()
  const isAsking = blocker.state === 'blocked'
  return (
    (mayAsk || isAsking) && (
      <AlertDialog
        open={isAsking}
        title="Leave without saving?"
        description="Your changes on this page are not saved."
        confirm="Leave"
        kind="trouble"
        cancel="Stay"
        busy={false}
        busyWords="Leave"
        onClose={() => blocker.reset?.()}
        onConfirm={() => {
          discardChanges()
          blocker.proceed?.()
        }}
      />
    )
  )
}
