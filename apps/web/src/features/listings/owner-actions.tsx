import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { Tagged } from '@holdfast/http-client/call'
import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Notice } from '../../components/notice.js'
import { loadFailure, requestTagged, serverWords } from '../../lib/api.js'
import { type Outcome, refusedFields, unknownWords } from '../../lib/command-outcome.js'
import type { CurrentUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { useCommand } from '../../lib/use-command.js'
import { EditListingDialog } from './edit-listing-dialog.js'
import { RelistDialog } from './relist-dialog.js'
import { useMyDeal } from './use-my-deal.js'

/** What the owner sees instead of the buy button: the listing's state, and what they can do. */
export default function OwnerActions({ listing, owner }: { listing: Listing; owner: CurrentUser }) {
  const isHeld = listing.status === 'reserved' || listing.status === 'sold'
  const edit = useEdit(listing)
  const sale = useSale(listing)
  const [isRelisting, setIsRelisting] = useState(false)
  if (listing.relistedAs !== null) return <Relisted as={listing.relistedAs} />
  return (
    <div className="grid gap-4">
      <SaleFailure outcome={sale.outcome} />
      <Notice
        title="This is your listing"
        action={
          isHeld ? (
            <DealLink listing={listing} owner={owner} />
          ) : (
            <>
              <Button kind="quiet" size="sm" onClick={edit.open}>
                Edit
              </Button>
              <SaleButton listing={listing} busy={sale.busy} put={sale.put} />
              {listing.status === 'inactive' && (
                <Button kind="quiet" size="sm" onClick={() => setIsRelisting(true)}>
                  List as New
                </Button>
              )}
            </>
          )
        }
      >
        {standingOf(listing)}
      </Notice>
      <EditListingDialog opened={edit.opened} onClose={edit.close} />
      <RelistDialog listing={listing} open={isRelisting} onClose={() => setIsRelisting(false)} />
    </div>
  )
}

/** An old listing of an item that has a newer one. */
function Relisted({ as }: { as: number }) {
  return (
    <Notice
      title="This is your listing"
      action={
        <ButtonLink to={paths.listing(as)} kind="quiet" size="sm">
          View the New Listing
        </ButtonLink>
      }
    >
      You have listed this item again. This listing stays off sale.
    </Notice>
  )
}

function standingOf({ status, isPrivate }: Listing): string {
  switch (status) {
    case 'active':
      return isPrivate
        ? 'It is private: only the one it was made for, and people whom you invite, find it and can buy it.'
        : 'It is on sale: everybody can find it and buy it.'
    case 'inactive':
      return 'It is off sale: it cannot be bought until you offer it again.'
    case 'reserved':
      return 'A transaction holds it. While that is open, it can neither be changed nor be taken off sale.'
    case 'sold':
      return 'It is sold, and stays as it was agreed.'
  }
}

function DealLink({ listing, owner }: { listing: Listing; owner: CurrentUser }) {
  const deal = useMyDeal(listing, owner, 'seller')
  return (
    deal && (
      <ButtonLink to={paths.transaction(deal.id)} kind="quiet" size="sm">
        View Transaction
      </ButtonLink>
    )
  )
}

interface SaleButtonProps {
  listing: Listing
  busy: boolean
  put: (status: 'active' | 'inactive') => Promise<unknown>
}

/**
 * Off sale after a question, on sale again without one. It is one button, and never a disabled one, so that the focus
 * stays where it was when its word has changed.
 */
function SaleButton({ listing, busy, put }: SaleButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  const isOff = listing.status === 'inactive'
  const takeOff = async () => {
    await put('inactive')
    setIsAsking(false)
  }
  return (
    <>
      <Button
        kind={isOff ? 'primary' : 'quiet'}
        size="sm"
        onClick={() => (isOff ? void put('active') : setIsAsking(true))}
      >
        {isOff ? 'Offer Again' : 'Take off Sale'}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={open => !busy && setIsAsking(open)}
        title="Take this listing off sale?"
        description="It cannot be found or bought until you offer it again. The listing is kept, and no money moves."
        actions={
          <>
            <Button kind="quiet" onClick={() => setIsAsking(false)} disabled={busy}>
              Go Back
            </Button>
            <Button busy={busy} onClick={() => void takeOff()}>
              {busy ? 'Taking off Sale...' : 'Take off Sale'}
            </Button>
          </>
        }
      />
    </>
  )
}

/** Why the listing is not on or off sale as asked, or that this is not known. */
function SaleFailure({ outcome }: { outcome: Outcome<unknown> | null }) {
  if (outcome === null || outcome.kind === 'done') return null
  if (refusedFields(outcome)?.digitalSignature !== undefined) {
    return (
      <Notice tone="trouble" alert title="You have not signed this listing">
        A buyer made it and named you as the seller. Choose “List as New” to sign it and put it on sale.
      </Notice>
    )
  }
  if (outcome.kind === 'refused') return <Notice tone="trouble" alert title={serverWords(outcome.error, NOT_CHANGED)} />
  const [title, text] = unknownWords(WHETHER)
  return (
    <Notice tone="trouble" alert title={title}>
      {text}
    </Notice>
  )
}

const NOT_CHANGED = 'The listing could not be changed. Please try again.'
const WHETHER = 'the listing was changed'

/** Puts a listing on sale or off it, and shows it as it stands then, refused or not: a buyer may have been faster. */
function useSale({ id }: Listing) {
  const { give, busy, outcome } = useCommand(routes.updateListing, {
    whether: WHETHER,
    done: (_, { body }) => [body.status === 'active' ? 'Your listing is on sale again' : 'Your listing is off sale'],
    // The panel shows it.
    refused: () => null,
    refresh: () => refreshAfter({ kind: 'listing' }),
  })
  const put = (status: 'active' | 'inactive') => give({ params: { id: String(id) }, headers: {}, body: { status } })
  return { busy, outcome, put }
}

/** Opens the form on the listing as it is at that moment, with its tag. */
function useEdit({ id }: Listing) {
  const [opened, setOpened] = useState<Tagged<Listing> | null>(null)

  async function open() {
    try {
      setOpened(await requestTagged(routes.getListing, { params: { id: String(id) } }))
    } catch (error) {
      toastError('The listing could not be loaded', loadFailure(error))
    }
  }

  return { opened, open: () => void open(), close: () => setOpened(null) }
}
