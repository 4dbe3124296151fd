import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { useState } from 'react'
import useSWR from 'swr'
import { request } from '../../lib/api.js'

interface LoadedTransactions {
  readonly deals: readonly Transaction[]
  readonly hasMore: boolean
}

/** The deals of the one who looks, newest first. All loaded pages are one entry, so that one live event renews them all. */
export function useMyTransactions() {
  const [pages, setPages] = useState(1)
  const { data, error, mutate, isValidating } = useSWR<LoadedTransactions, Error>(
    [routes.listTransactions.path, { pages }],
    () => loadPages(pages),
    { keepPreviousData: true },
  )
  return {
    data,
    error,
    isLoadingMore: isValidating && (data?.deals.length ?? 0) <= (pages - 1) * MAX_PAGE_SIZE,
    loadMore: () => setPages(pages + 1),
    retry: () => void mutate(),
  }
}

async function loadPages(pages: number): Promise<LoadedTransactions> {
  const deals: Transaction[] = []
  for (let page = 0; page < pages; page++) {
    const before = deals.at(-1)?.id
    const query = { limit: MAX_PAGE_SIZE, ...(before === undefined ? {} : { before }) }
    const next = await request(routes.listTransactions, { query })
    deals.push(...next)
    if (next.length < MAX_PAGE_SIZE) return { deals, hasMore: false }
  }
  return { deals, hasMore: true }
}
