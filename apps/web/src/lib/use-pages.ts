import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute, Page } from '@holdfast/http-client/call'
import { useMemo, useRef, useState } from 'react'
import useSWR, { type SWRConfiguration } from 'swr'
import { requestPage } from './api.js'
import { takeAnswer } from './read-ahead.js'

type ItemOf<R extends RouteDefinition> = Output<R> extends readonly (infer Item)[] ? Item : never

export interface Pages<Item> {
  /** Every page that is loaded, in the server's order; undefined before the first one is there. */
  readonly pages: readonly (readonly Item[])[] | undefined
  /** Their items in one list. */
  readonly items: readonly Item[] | undefined
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Loads the next page. Does nothing without one, and while one is being loaded. */
  readonly loadMore: () => Promise<void>
  /** Why the list, or its next page, could not be loaded. */
  readonly error: Error | undefined
  /** Loads again what could not be loaded. */
  readonly retry: () => void
  /** Changes the items of the first page as they are shown, without asking the server. */
  readonly changeFirst: (change: (items: readonly Item[]) => readonly Item[]) => void
}

/** What came of asking for a next page. */
interface Asked {
  readonly next?: string
  readonly busy?: boolean
  readonly error?: Error
}

/**
 * A list that the server answers page by page, as far as it was asked for. Its pages are one SWR answer with the key
 * `[route.path, input, 'pages']`, so that a change renews all of them and a sign-out forgets all of them. The keys of
 * `useSWRInfinite` are skipped by `mutate` with a filter, which both need.
 *
 * @param input the first page's input; null asks nothing yet
 */
export function usePages<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: (Input<R> & { readonly query?: object }) | null,
  config: SWRConfiguration = {},
): Pages<ItemOf<R>> {
  type Loaded = readonly Page<readonly ItemOf<R>[]>[]
  const count = useRef(0)
  const validating = useRef(false)
  const [asked, setAsked] = useState<Asked>({})

  const ask = (next: string | null) => {
    const of = next === null ? input : { ...input, query: queryOfNext(next) }
    return requestPage(route, of as Input<R>) as Promise<Page<readonly ItemOf<R>[]>>
  }
  const key = input && [route.path, input, 'pages']
  const { data, error, mutate, isValidating } = useSWR<Loaded, Error>(
    key,
    () => (key && takeAnswer(key)) ?? reload(ask, Math.max(1, count.current)),
    config,
  )
  count.current = data?.length ?? 0
  validating.current = isValidating
  const next = data?.at(-1)?.next ?? null

  // What was asked for belongs to one `next`, which names the whole query. After another input or a renewal the list may have another one.
  const shown = useRef(next)
  shown.current = next
  const more = asked.next === next ? asked : {}

  async function loadMore() {
    if (next === null || more.busy) return
    setAsked({ next, busy: true })
    try {
      const page = await ask(next)
      if (shown.current === next) {
        const append = (known?: Loaded) => (known?.at(-1)?.next === next ? [...known, page] : known)
        // SWR drops an answer that was under way while the pages change here: then all of them are asked for once more.
        count.current++
        await mutate(append, { revalidate: validating.current })
      }
      setAsked({})
    } catch (cause) {
      setAsked({ next, error: cause as Error })
    }
  }

  // The same lists until the data changes, so that an effect on them does not run at every render.
  const pages = useMemo(() => data?.map(page => page.answer), [data])
  const items = useMemo(() => pages?.flat(), [pages])
  return {
    pages,
    items,
    hasMore: next !== null,
    isLoadingMore: !!more.busy,
    loadMore,
    error: error ?? more.error,
    retry: () => void (data && more.error ? loadMore() : mutate()),
    changeFirst: change =>
      void mutate(
        (known = []) => known.map((page, index) => (index === 0 ? { ...page, answer: change(page.answer) } : page)),
        { revalidate: false },
      ),
  }
}

/** Asks for as many pages as were loaded, each behind the one before. */
async function reload<P extends Page<unknown>>(ask: (next: string | null) => Promise<P>, count: number): Promise<P[]> {
  const pages = [await ask(null)]
  for (let next = pages[0]?.next ?? null; next !== null && pages.length < count; next = pages.at(-1)?.next ?? null) {
    pages.push(await ask(next))
  }
  return pages
}

/** The query of the next page, from the address that the `Link` header gives. What stands there twice is a list. */
export function queryOfNext(next: string): Record<string, string | string[]> {
  const params = new URL(next, 'http://page').searchParams
  return Object.fromEntries(
    [...params.keys()].map(name => {
      const values = params.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}
