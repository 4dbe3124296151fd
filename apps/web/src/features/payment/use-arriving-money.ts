import { routes } from 'virtual:routes'
import { useEffect } from 'react'
import { refresh } from '../../lib/use-call.js'
import { startAwaiting } from './awaited-payment.js'

/** How often the server is asked whether money has arrived: no live event tells of a part of it. */
const POLL_MS = 4_000

/** Reads the payment, the deal and what goes back again while money may arrive. */
export function useArrivingMoney(dealId: number): void {
  useEffect(() => {
    startAwaiting(dealId)
    const timer = setInterval(() => {
      void refresh(routes.getPayment)
      void refresh(routes.getTransaction)
      void refresh(routes.listPayments)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [dealId])
}
