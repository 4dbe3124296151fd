import type { Pages } from '../lib/use-pages.js'
import { Button, type ButtonSize } from './button.js'
import { LoadError } from './load-error.js'

interface ShowMoreProps {
  /** The list that goes on. */
  of: Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore' | 'error' | 'retry'>
  /** The heading where the next page could not be loaded: "More deals could not be loaded". */
  errorTitle: string
  label?: string
  size?: ButtonSize
}

/** Under a list that goes on: loads its next page. Shows nothing at its end. */
export function ShowMore({
  of: { hasMore, isLoadingMore, loadMore, error, retry },
  errorTitle,
  label = 'Show more',
  size = 'md',
}: ShowMoreProps) {
  if (error) return <LoadError title={errorTitle} error={error} retry={retry} />
  if (!hasMore) return null
  return (
    <Button
      kind="quiet"
      size={size}
      busy={isLoadingMore}
      onClick={() => void loadMore()}
      className="justify-self-start"
    >
      {isLoadingMore ? 'Loading...' : label}
    </Button>
  )
}
