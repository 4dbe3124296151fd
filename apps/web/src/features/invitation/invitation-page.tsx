import { routes } from 'virtual:routes'
import type { Invitation } from '@holdfast/contracts/invitations'
import { pages } from '@holdfast/contracts/pages'
import { Lock } from 'lucide-react'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { Badge } from '../../components/badge.js'
import { Button, ButtonLink } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { PageMessage } from '../../components/page-message.js'
import { Panel } from '../../components/panel.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { isStatus, serverWords } from '../../lib/api.js'
import { useSession } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { Person } from '../profile/shared/person.js'

const NOT_ACCEPTED = 'Failed to accept invitation. Please try again.'
const ACCEPTED = 'Invitation Accepted'
/** How long the page says that the invitation was accepted, before it goes on to the listing. */
const REDIRECT_MS = 2_000

/** An invitation to a private listing, by the token of its link. */
export default function InvitationPage() {
  const { token = '' } = useParams()
  const query = useCall(routes.getInvitation, { params: { token } }, { revalidateOnFocus: false })
  const hasEnded = isStatus(query.error, 404) || isStatus(query.error, 410)
  if (query.data && !hasEnded) return <Shown key={token} token={token} invitation={query.data} />
  if (query.error) return <NotAvailable error={query.error} />
  return (
    <div className="page pt-10">
      <PageHead page={pages.invitation} />
      <Loading label="Loading invitation" page>
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="mt-9 h-80 w-full rounded-lg" />
      </Loading>
    </div>
  )
}

function NotAvailable({ error }: { error: Error }) {
  return (
    <PageMessage
      title="Invitation Not Available"
      actions={
        <ButtonLink to={paths.home} kind="quiet">
          Back to Home
        </ButtonLink>
      }
    >
      {isStatus(error, 404)
        ? 'Invitation not found. Please check that you have the whole link.'
        : isStatus(error, 410)
          ? 'Invitation has expired. It was used, withdrawn or is too old, or the item was sold. Ask the seller for a new one.'
          : 'Failed to load invitation. Please try again in a moment.'}
    </PageMessage>
  )
}

function Shown({ token, invitation }: { token: string; invitation: Invitation }) {
  const { listing, message } = invitation
  return (
    <div className="page">
      <PageHead page={pages.invitation} title={listing.title} />
      <PageHeader title={listing.title} mark={<Badge>Private Listing</Badge>} />
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[1fr_24rem] lg:gap-14">
        <div className="min-w-0">
          {message && (
            <blockquote className="mb-8 max-w-text border-l-2 border-rule pl-4">
              <p className="text-sm text-ink-soft">{listing.seller.firstName} writes:</p>
              <p className="mt-1 typed">{message}</p>
            </blockquote>
          )}
          <h2 className="display text-xl">Description</h2>
          <p className="mt-3 max-w-text typed">{listing.description}</p>
          <h2 className="display mt-10 mb-3 text-xl">Invitation Details</h2>
          <Facts facts={factsOf(invitation)} />
        </div>
        <aside aria-label="Invitation">
          <Panel>
            <p className="text-2xl font-semibold">
              <Money amount={listing.price} currency={listing.currency} />
            </p>
            <p className="mt-1 text-sm text-ink-soft">Condition: {listing.condition}</p>
            <div className="mt-5">
              <Accept token={token} />
            </div>
            <p className="mt-5 flex gap-2 text-sm text-ink-soft">
              <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>
                Accepting costs nothing. If you buy the item, your payment is held in escrow until you have received and
                accepted it.
              </span>
            </p>
            <div className="mt-6 border-t border-rule pt-5">
              <h2 className="mb-3 text-sm font-semibold">Seller</h2>
              <Person user={listing.seller} verifiedLabel="Verified" linked />
            </div>
          </Panel>
        </aside>
      </div>
    </div>
  )
}

function factsOf({ expiresAt, inviteeEmail }: Invitation) {
  return [
    { label: 'Expires', value: <time dateTime={expiresAt}>{formatDateTime(new Date(expiresAt))}</time> },
    ...(inviteeEmail === null ? [] : [{ label: 'Sent to', value: <span className="break-all">{inviteeEmail}</span> }]),
  ]
}

/** Accepts the invitation. A visitor signs in first, and is led back here. */
function Accept({ token }: { token: string }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const { give, busy, outcome } = useCommand(routes.acceptInvitation, {
    whether: 'the invitation was accepted',
    done: () => [ACCEPTED],
    refused: error => ['Error', error.status === 403 ? serverWords(error, NOT_ACCEPTED) : NOT_ACCEPTED],
    // Another person may have accepted it meanwhile, or it has ended: then the page says so.
    refresh: () => Promise.all([refreshAfter({ kind: 'listing' }), refresh(routes.getInvitation)]),
  })
  const listingId = outcome?.kind === 'done' ? outcome.answer.listingId : null
  useEffect(() => {
    if (listingId === null) return
    const timer = setTimeout(() => navigate(paths.listing(listingId), { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [listingId, navigate])
  if (listingId !== null)
    return (
      <Notice alert title={ACCEPTED}>
        You can see the listing now. You are being taken there.
      </Notice>
    )
  if (user === null)
    return (
      <>
        <ButtonLink to={paths.authThen(paths.invitation(token))} size="lg" className="w-full">
          Accept Invitation
        </ButtonLink>
        <p className="mt-3 text-sm text-ink-soft">You sign in or open an account first.</p>
      </>
    )
  return (
    <Button size="lg" busy={busy} onClick={() => void give({ params: { token } })} className="w-full">
      {busy ? 'Accepting...' : 'Accept Invitation'}
    </Button>
  )
}
