import type { ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import { LoadError } from './load-error.js'

interface QueryStateProps<Data> {
  /** What `useCall` answers. */
  query: Pick<SWRResponse<Data, Error>, 'data' | 'error' | 'mutate'>
  /** The title of a failure: "The sessions could not be loaded". */
  errorTitle: string
  /** What stands there while it loads: a `Loading` with the shape of what comes. */
  loading: ReactNode
  /** True where the whole page could not be loaded. */
  page?: boolean
  children: (data: Data) => ReactNode
}

/** What was loaded, or that it is being loaded, or why it could not be. What was loaded once stays shown. */
export function QueryState<Data>({ query, errorTitle, loading, page = false, children }: QueryStateProps<Data>) {
  const { data, error, mutate } = query
  if (data !== undefined) return children(data)
  if (error) return <LoadError title={errorTitle} error={error} retry={() => void mutate()} page={page} />
  return loading
}
