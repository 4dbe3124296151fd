import { adminRoutes } from 'virtual:admin-routes'
import type { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import type { Output } from '@holdfast/contracts/route'
import { displayAmount } from '@holdfast/kernel/money'
import { refundError } from '@holdfast/kernel/refund-failures'
import { Dialog } from '../../../components/dialog.js'
import { Notice } from '../../../components/notice.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { ActForm } from '../shared/act-form.js'
import { SubjectLink } from '../subject-link.js'
import { useAct } from '../use-act.js'
import { REFUND_LOOKS } from '../words.js'

export type Refund = Output<typeof escrowAdminRoutes.listUnfinishedRefunds>[number]

interface RefundDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  refund: Refund | null
}

/** A refund that has not reached its buyer. One that failed can be sent again. */
export default function RefundDialog({ open, close, refund }: RefundDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title={refund ? `Refund of transaction ${refund.transactionId}` : ''}>
      {refund && <SendAgain refund={refund} onDone={close} />}
    </Dialog>
  )
}

function SendAgain({ refund, onDone }: { refund: Refund; onDone: () => void }) {
  const { id, transactionId, amount, currency, status, lastError } = refund
  const { send, busy, confirmed } = useAct(adminRoutes.sendRefundAgain, {
    whether: 'the refund is sent again',
    done: () => ['It is sent again', 'The provider gets it as a new refund.'],
    onDone,
  })
  const money = displayAmount(amount, currency)
  return (
    <div className="grid gap-4">
      <ConfirmOnDemand confirmed={confirmed} />
      <p className="text-sm">
        <SubjectLink subject={`transaction:${transactionId}`} /> · {money}
      </p>
      {status === 'failed' ? (
        <ActForm
          now={`Failed${lastError ? `: ${refundError(lastError)}` : ''}. We owe the buyer ${money}.`}
          then={`Sent to the provider as a new refund of ${money}.`}
          label="Send again"
          busy={busy}
          send={reason => send({ params: { id }, body: { reason } })}
        />
      ) : (
        <Notice title={REFUND_LOOKS[status].label ?? status}>
          It goes on by itself: the provider is asked until it is confirmed or has failed.
          {lastError && ` Last error: ${refundError(lastError)}`}
        </Notice>
      )}
    </div>
  )
}
