import { loadFailure } from '../lib/api.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

/** In place of what could not be loaded: why, and another try. */
export function LoadError({ title, error, retry }: { title: string; error: unknown; retry?: () => void }) {
  return (
    <Notice
      tone="trouble"
      alert
      title={title}
      action={
        retry && (
          <Button kind="quiet" size="sm" onClick={retry}>
            Try Again
          </Button>
        )
      }
    >
      {loadFailure(error)}
    </Notice>
  )
}
