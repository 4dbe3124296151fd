import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { SeenTerms } from '@holdfast/contracts/terms'
import { Lock } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { serverWords } from '../../lib/api.js'
import type { CurrentUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'

const FAILED = 'Failed to start transaction. Please try again.'

/** Opens the deal under the listing's terms as they are shown, and goes on to pay for it. */
export function BuyButton({ listing, user }: { listing: Listing; user: CurrentUser }) {
  const navigate = useNavigate()
  const { give, busy, outcome } = useCommand(routes.createTransaction, {
    whether: 'the transaction was opened',
    done: () => null,
    refused: () => ['Error', FAILED],
    // After a conflict, too: the item may be taken, or its price or terms may have changed.
    refresh: () => refreshAfter({ kind: 'transaction' }),
    onDone: ({ id }) => navigate(paths.checkout(id)),
  })
  const buy = () =>
    give({ body: { listingId: listing.id, buyerId: user.id, amount: listing.price, seen: seenTerms(listing) } })
  return (
    <div className="grid gap-4">
      {outcome?.kind === 'refused' && (
        <Notice tone="trouble" alert title={serverWords(outcome.error, FAILED)}>
          This attempt opened no transaction and charged nothing.
        </Notice>
      )}
      <Button size="lg" busy={busy} onClick={() => void buy()} className="w-full">
        {!busy && <Lock aria-hidden="true" className="size-5" />}
        Buy with Escrow Protection
      </Button>
      <p className="text-sm text-ink-soft">
        Nothing is charged by this button: you choose how to pay on the next page.
      </p>
    </div>
  )
}

const seenTerms = ({ title, description, condition, inspectionPeriod, returnPolicy, images }: Listing): SeenTerms => ({
  ...{ title, description, condition, returnPolicy, images },
  inspectionDays: inspectionPeriod,
})
