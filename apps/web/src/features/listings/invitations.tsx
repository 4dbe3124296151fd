import { routes } from 'virtual:routes'
import type { SentInvitation } from '@holdfast/contracts/invitations'
import type { Listing } from '@holdfast/contracts/listings'
import { useState } from 'react'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { CopyButton } from '../../components/copy-button.js'
import { Notice } from '../../components/notice.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { serverWords } from '../../lib/api.js'
import { nameAndUsername } from '../../lib/current-user.js'
import { formatDateTime } from '../../lib/time.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { InvitationForm } from './invitation-form.js'

const LOOKS: Record<SentInvitation['status'], BadgeLooks> = {
  open: { label: 'Not accepted yet', dot: 'yellow' },
  accepted: { label: 'Accepted', dot: 'green' },
  expired: { label: 'Expired', dot: 'grey' },
  revoked: { label: 'Withdrawn', dot: 'red' },
}

/** The invitations to one's own private listing: make one, send it again, withdraw it. */
export default function Invitations({ listing }: { listing: Listing }) {
  const params = { id: String(listing.id) }
  const query = useCall(routes.listInvitations, { params })
  const [link, setLink] = useState<string | null>(null)
  return (
    <section aria-labelledby="invitations" className="mt-10">
      <h2 id="invitations" className="display text-xl">
        Invitations
      </h2>
      <p className="mt-3 mb-5 max-w-text text-ink-soft">
        Nobody finds this listing without an invitation. Each invitation is for one person.
      </p>
      <InvitationForm listingId={listing.id} onMade={setLink} />
      {link && <FreshLink url={link} />}
      <QueryState
        query={query}
        errorTitle="The invitations could not be loaded"
        loading={
          <Loading label="Loading invitations">
            <Skeleton className="mt-6 h-20 w-full rounded-md" />
          </Loading>
        }
      >
        {invitations => (
          <ul className="mt-6 divide-y divide-rule border-y border-rule empty:hidden">
            {invitations.map(each => (
              <Row key={each.id} listingId={listing.id} invitation={each} onLink={setLink} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  )
}

/** A link that was just made. It is shown once, because only its hash is stored. */
function FreshLink({ url }: { url: string }) {
  return (
    <div className="mt-5">
      <Notice
        alert
        title="The link of this invitation"
        action={<CopyButton label="the link of this invitation" text={url} />}
      >
        <span className="break-all">{url}</span>
        <p className="mt-2 text-sm">
          We show it only now. Whoever accepts it first can buy the item; a mailed invitation is only for its address.
        </p>
      </Notice>
    </div>
  )
}

interface RowProps {
  listingId: number
  invitation: SentInvitation
  onLink: (url: string) => void
}

function Row({ listingId, invitation, onLink }: RowProps) {
  const { id, status, inviteeEmail, acceptedBy, message } = invitation
  const input = { params: { id: String(listingId), invitationId: id } }
  const again = useCommand(routes.resendInvitation, {
    whether: 'a new link was made',
    done: () => [inviteeEmail ? 'Invitation sent again' : 'New link made'],
    refused: error => ['Error', serverWords(error, 'The invitation could not be sent again. Please try again.')],
    refresh: () => refresh(routes.listInvitations),
    onDone: ({ url }) => onLink(url),
  })
  const revoke = useCommand(routes.revokeInvitation, {
    whether: 'the invitation was withdrawn',
    done: () => ['Invitation withdrawn'],
    refused: error => ['Error', serverWords(error, 'The invitation could not be withdrawn. Please try again.')],
    refresh: () => refresh(routes.listInvitations),
  })
  return (
    <li className="grid gap-2 py-4 sm:grid-cols-[1fr_auto] sm:items-start">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold break-all">{inviteeEmail ?? 'By link'}</span>
          <StatusBadge status={status} looks={LOOKS[status]} />
        </p>
        <p className="mt-0.5 text-sm text-ink-soft">
          {acceptedBy ? `${nameAndUsername(acceptedBy)} accepted it.` : untilWords(invitation)}
        </p>
        {message && <p className="mt-1 max-w-text text-sm typed">“{message}”</p>}
      </div>
      {status !== 'revoked' && (
        <div className="flex flex-wrap gap-2">
          {status !== 'accepted' && (
            <Button kind="quiet" size="sm" busy={again.busy} onClick={() => void again.give(input)}>
              {inviteeEmail ? 'Send Again' : 'New Link'}
            </Button>
          )}
          <Button kind="quiet" size="sm" busy={revoke.busy} onClick={() => void revoke.give(input)}>
            Withdraw
          </Button>
        </div>
      )}
    </li>
  )
}

function untilWords({ status, expiresAt }: SentInvitation): string {
  const at = formatDateTime(new Date(expiresAt))
  if (status === 'revoked') return 'It can no longer be accepted.'
  return status === 'expired' ? `It could be accepted until ${at}.` : `It can be accepted until ${at}.`
}
