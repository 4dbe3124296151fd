import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useEffect, useRef } from 'react'
import { refresh } from '../../lib/use-call.js'
import { useTransaction } from './shared/deal.js'

const POLL_MS = 3_000
/** Shorter than the app's own, which would answer each of these questions with what is known already. */
const DEDUPING_MS = 1_000

/**
 * Keeps a refund fresh on the page of its deal. No event says that the provider has confirmed a refund, so the page asks
 * again while one is on its way. The confirmation also moves money, so the movements are read again after it.
 */
export function useRefundProgress({ id, refund }: Pick<Transaction, 'id' | 'refund'>): void {
  useTransaction(refund === 'on_its_way' ? id : null, { refreshInterval: POLL_MS, dedupingInterval: DEDUPING_MS })
  const last = useRef(refund)
  useEffect(() => {
    const wasOnItsWay = last.current === 'on_its_way'
    last.current = refund
    if (wasOnItsWay && refund !== 'on_its_way') void refresh(routes.getLedger)
  }, [refund])
}
