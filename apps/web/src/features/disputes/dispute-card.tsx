import type { ListedDispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useState } from 'react'
import { Badge } from '../../components/badge.js'
import { Button, ButtonLink } from '../../components/button.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useTransaction } from '../deal/shared/deal.js'
import { Turn } from '../deal/shared/money-line/money-track.js'
import { DisputeBadge } from './dispute-badge.js'
import { reasonLabel } from './dispute-labels.js'
import { Held } from './held.js'
import { turnInList, turnWithDeal } from './shared/turn.view.js'
import WithdrawDialog from './withdraw-dialog.js'

/** One dispute: what it is about, how far it is, whose turn it is, and what was decided. */
export function DisputeCard({ dispute, userId }: { dispute: ListedDispute; userId: string }) {
  const { data: deal } = useTransaction(dispute.transactionId)
  return (
    <article className="rounded-lg border border-rule bg-surface p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{deal?.listing.title ?? `Transaction #${dispute.transactionId}`}</h2>
          <p className="text-sm text-ink-soft">
            {reasonLabel(dispute.reason)}, filed {formatDate(new Date(dispute.createdAt))}
            {dispute.reporterId === null && ' by the system'}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <DisputeBadge status={dispute.status} />
          {dispute.status === 'open' && <Badge>Pending Review</Badge>}
          {deal && <Held deal={deal} />}
        </div>
      </div>
      {deal && dispute.status !== 'closed' && <CardTurn dispute={dispute} deal={deal} />}
      <p className="mt-4 max-w-text typed">{dispute.description}</p>
      <Word title="Notes of the mediator" text={dispute.adminNotes} />
      <Word title="Resolution" text={dispute.resolution} />
      <div className="mt-5 flex flex-wrap gap-3">
        <ButtonLink to={paths.dispute(dispute.id)} size="sm">
          Open the Case
        </ButtonLink>
        <ButtonLink to={paths.transaction(dispute.transactionId)} kind="quiet" size="sm">
          View Transaction
        </ButtonLink>
        {dispute.reporterId === userId && dispute.status === 'open' && turnWithDeal(dispute, deal) !== 'bank' && (
          <Withdraw dispute={dispute} />
        )}
      </div>
    </article>
  )
}

function CardTurn({ dispute, deal }: { dispute: ListedDispute; deal: Transaction }) {
  const { waitsFor, words } = turnInList(dispute, deal)
  return <Turn waitsFor={waitsFor} words={words} className="mt-3" />
}

function Word({ title, text }: { title: string; text: string | null }) {
  if (!text) return null
  return (
    <div className="mt-4 border-l-2 border-ink pl-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="max-w-text typed">{text}</p>
    </div>
  )
}

function Withdraw({ dispute }: { dispute: ListedDispute }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button kind="bare" size="sm" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      <WithdrawDialog dispute={dispute} open={asking} onClose={() => setAsking(false)} />
    </>
  )
}
