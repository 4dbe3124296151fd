import { loadFailure } from '../lib/api.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

interface LoadErrorProps {
  title: string
  error: unknown
  retry?: () => void
  /** True where the whole page could not be loaded: then the title is the page's heading. */
  page?: boolean
}

/** Says why something could not be loaded, and offers another try. */
export function LoadError({ title, error, retry, page = false }: LoadErrorProps) {
  return (
    <>
      {page && <h1 className="display mb-4 text-2xl">{title}</h1>}
      <Notice
        tone="trouble"
        alert
        {...(page ? {} : { title })}
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
    </>
  )
}
