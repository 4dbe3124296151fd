import { routes } from 'virtual:routes'
import type { Dispute } from '@holdfast/contracts/disputes'
import { useState } from 'react'
import { AlertDialog } from '../../components/alert-dialog.js'
import { Badge } from '../../components/badge.js'
import { Button, ButtonLink } from '../../components/button.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCommand } from '../../lib/use-command.js'
import { useTransaction } from '../deal/shared/deal.js'
import { DisputeBadge } from './dispute-badge.js'
import { reasonLabel } from './dispute-labels.js'
import { Held } from './held.js'

interface DisputeCardProps {
  dispute: Dispute
  mayWithdraw: boolean
}

/** One dispute: what it is about, how far it is, and what was decided. */
export function DisputeCard({ dispute, mayWithdraw }: DisputeCardProps) {
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
      <p className="mt-4 max-w-text typed">{dispute.description}</p>
      <Word title="Notes of the mediator" text={dispute.adminNotes} />
      <Word title="Resolution" text={dispute.resolution} />
      <div className="mt-5 flex flex-wrap gap-3">
        <ButtonLink to={paths.transaction(dispute.transactionId)} kind="quiet" size="sm">
          View Transaction
        </ButtonLink>
        {mayWithdraw && <Withdraw dispute={dispute} />}
      </div>
    </article>
  )
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

/** Takes a dispute back, after a question: the clocks start again. */
function Withdraw({ dispute: { id, transactionId } }: { dispute: Dispute }) {
  const [asking, setAsking] = useState(false)
  const { give, busy } = useCommand(routes.withdrawDispute, {
    whether: 'the dispute was withdrawn',
    done: () => ['Dispute withdrawn', 'The transaction goes on where it stopped.'],
    refused: error => ['The dispute was not withdrawn', error.serverMessage],
    refresh: () => refreshAfter({ kind: 'dispute', transactionId }),
  })
  const withdraw = async () => {
    await give({ params: { id: String(id) } })
    setAsking(false)
  }
  return (
    <>
      <Button kind="bare" size="sm" onClick={() => setAsking(true)}>
        Withdraw
      </Button>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Withdraw this dispute?"
        description="The transaction goes on with the time that was left. When it goes on for the first time, that is at least 24 hours. The money stays held."
        confirm="Withdraw Dispute"
        busyWords="Withdrawing..."
        busy={busy}
        onConfirm={() => void withdraw()}
      />
    </>
  )
}
