import { adminRoutes } from 'virtual:admin-routes'
import type { AdminPayout } from '@holdfast/contracts/admin-escrow'
import { displayAmount } from '@holdfast/kernel/money'
import { Link } from 'react-router-dom'
import { Dialog } from '../../../components/dialog.js'
import { Notice } from '../../../components/notice.js'
import { paths } from '../../../lib/paths.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { KnownNames, UserName } from '../names.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { ASK_LABEL, useApprovalLimit, withApproval } from '../use-approval-limit.js'
import { useBalance } from '../use-balance.js'
import { askedWords, payoutLooks } from '../words.js'

interface PayoutDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  payout: AdminPayout | null
}

/** A payout that has not arrived. The seller of one that came back can be paid out again. */
export default function PayoutDialog({ open, close, payout }: PayoutDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title="Payout">
      {payout && <PayOutAgain payout={payout} onDone={close} />}
    </Dialog>
  )
}

function PayOutAgain({ payout, onDone }: { payout: AdminPayout; onDone: () => void }) {
  const { id, sellerId, amount, currency, status, failure, lastError } = payout
  const { send, busy, confirmed } = useAct(adminRoutes.sendPayoutAgain, {
    whether: 'the seller is paid out again',
    done: answer => askedWords(answer, 'A new payout is on its way.'),
    onDone,
  })
  const balance = useBalance('seller_payable', sellerId)
  const limit = useApprovalLimit()
  const all = balance == null ? 'The seller’s balance' : `The seller’s balance of ${displayAmount(balance, currency)}`
  return (
    <div className="grid gap-4">
      <ConfirmOnDemand confirmed={confirmed} />
      <KnownNames ids={[sellerId]}>
        <p className="text-sm">
          {displayAmount(amount, currency)} for <UserName id={sellerId} /> ·{' '}
          <Link to={paths.adminAccount(`seller_payable:${sellerId}`)} className="link">
            Their balance
          </Link>
        </p>
      </KnownNames>
      {status === 'returned' ? (
        <ActForm
          now={`${failure ?? 'It came back.'} The amount is on the seller’s balance again.`}
          then={withApproval(
            limit,
            balance,
            `${all} is paid out, without what a bank may still take for a chargeback.`,
          )}
          label={limit?.isBelow(balance) ? ASK_LABEL : 'Pay out again'}
          busy={busy}
          send={reason => send({ params: { id }, body: { reason } })}
        />
      ) : (
        <Notice title={payoutLooks(payout).label ?? status}>
          {failure
            ? `${failure} The amount is on the seller’s balance again when the provider has given it back. It is asked for until then.`
            : 'It goes on by itself.'}
          {lastError && ` Last error: ${lastError}`}
        </Notice>
      )}
    </div>
  )
}
