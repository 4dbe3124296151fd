import { LoadError } from '../../components/load-error.js'
import { ShowMore } from '../../components/show-more.js'
import type { Pages } from '../../lib/use-pages.js'
import { LoadingList } from './loading-list.js'
import { ConsoleList, type ConsoleListProps } from './shared/console-list.js'

interface PagedListProps<Item> extends Omit<ConsoleListProps<Item>, 'items'> {
  list: Pages<Item>
  /** What stands there while the first page loads: "Loading users". */
  loading: string
  /** The heading where the first page could not be loaded: "The users could not be loaded". */
  errorTitle: string
  /** The same for a next page: "More users could not be loaded". */
  moreErrorTitle: string
}

/** A dense table of what the server answers page by page. */
export function PagedList<Item>({ list, loading, errorTitle, moreErrorTitle, ...shown }: PagedListProps<Item>) {
  const { items, error, retry } = list
  if (!items)
    return error ? <LoadError title={errorTitle} error={error} retry={retry} /> : <LoadingList label={loading} />
  return (
    <div className="grid gap-4">
      <ConsoleList {...shown} items={items} />
      <ShowMore of={list} errorTitle={moreErrorTitle} size="sm" />
    </div>
  )
}
