import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useEffect, useRef } from 'react'
import { refresh } from '../../../lib/use-call.js'

const POLL_MS = 3_000

/**
 * Keeps a refund fresh. No event says that the provider has confirmed a refund, so the page asks again while one is on its way. The
 * confirmation also moves money, so the movements are read again after it.
 */
export function useRefundProgress({ refund }: Pick<Transaction, 'refund'>): void {
  const last = useRef(refund)
  useEffect(() => {
    const wasOnItsWay = last.current === 'on_its_way'
    last.current = refund
    if (refund === 'on_its_way') {
      const timer = setInterval(() => {
        if (document.visibilityState === 'visible') void refresh(routes.getTransaction)
      }, POLL_MS)
      return () => clearInterval(timer)
    }
    if (wasOnItsWay) void refresh(routes.getLedger)
  }, [refund])
}
