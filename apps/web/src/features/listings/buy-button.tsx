import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { SeenTerms } from '@holdfast/contracts/terms'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { isStatus, request, serverWords } from '../../lib/api.js'
import type { CurrentUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { refresh } from '../../lib/use-call.js'

const FAILED = 'Failed to start transaction. Please try again.'

/** Opens the deal under the listing's terms as they are shown, and goes on to pay for it. */
export function BuyButton({ listing, user }: { listing: Listing; user: CurrentUser }) {
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<string>()
  const navigate = useNavigate()

  async function buy() {
    setBusy(true)
    setConflict(undefined)
    try {
      const transaction = await request(routes.createTransaction, {
        body: { listingId: listing.id, buyerId: user.id, amount: listing.price, seen: seenTerms(listing) },
      })
      void refresh(routes.listTransactions, routes.getTransactionSummary, routes.getListing, routes.listListings)
      await navigate(paths.checkout(transaction.id))
    } catch (error) {
      toastError('Error', FAILED)
      // Somebody was faster, or the price or the terms are others now: say which, and show the listing as it stands.
      if (isStatus(error, 409)) {
        setConflict(serverWords(error, FAILED))
        void refresh(routes.getListing)
      }
      setBusy(false)
    }
  }

  return (
    <div className="grid gap-4">
      {conflict && (
        <Notice tone="trouble" alert title={conflict}>
          No transaction was opened, and nothing was charged.
        </Notice>
      )}
      <Button size="lg" busy={busy} onClick={buy} className="w-full">
        {!busy && <Lock aria-hidden="true" className="size-5" />}
        Buy with Escrow Protection
      </Button>
      <p className="text-sm text-ink-soft">You see every fee before you pay. Nothing is charged by this button.</p>
    </div>
  )
}

const seenTerms = ({ title, description, condition, inspectionPeriod, returnPolicy, images }: Listing): SeenTerms => ({
  ...{ title, description, condition, returnPolicy, images },
  inspectionDays: inspectionPeriod,
})
