import { routes } from 'virtual:routes'
import type { Dispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { AlertDialog } from '../../components/alert-dialog.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { formatDateTime } from '../../lib/time.js'
import { useCommand } from '../../lib/use-command.js'
import { useTransaction } from '../deal/shared/deal.js'

interface WithdrawDialogProps {
  dispute: Pick<Dispute, 'id' | 'transactionId'>
  open: boolean
  onClose: () => void
}

/** Takes a dispute back, after a question that says what happens to the deadline of the deal. */
export default function WithdrawDialog({ dispute: { id, transactionId }, open, onClose }: WithdrawDialogProps) {
  const { data: deal, error } = useTransaction(open ? transactionId : null)
  const { give, busy } = useCommand(routes.withdrawDispute, {
    whether: 'the dispute was withdrawn',
    done: () => ['Dispute withdrawn', 'The transaction goes on where it stopped.'],
    refused: error => ['The dispute was not withdrawn', error.serverMessage],
    refresh: () => refreshAfter({ kind: 'dispute', transactionId }),
  })
  const withdraw = async () => {
    await give({ params: { id: String(id) } })
    onClose()
  }
  return (
    <AlertDialog
      open={open && (deal !== undefined || error !== undefined)}
      onClose={onClose}
      title="Withdraw this dispute?"
      description={afterWithdrawal(deal, Date.now())}
      confirm="Withdraw Dispute"
      busyWords="Withdrawing..."
      busy={busy}
      onConfirm={() => void withdraw()}
    />
  )
}

type Deal = Pick<Transaction, 'clock' | 'clockAfterDispute' | 'buyer' | 'seller'>
type Kind = NonNullable<Transaction['clock']>['kind']

/** What happens to the deadline of the deal when its dispute is withdrawn now. */
export function afterWithdrawal(deal: Deal | undefined, now: number): string {
  if (!deal)
    return 'The transaction goes on. A deadline of your own was not moved by the dispute: if it has passed, it takes effect at once.'
  const clock = deal.clock ?? deal.clockAfterDispute
  if (!clock)
    return 'The money stays held, and the transaction goes on with the time that was left. If less than 24 hours are left, the deadline is extended to 24 hours, but only once.'
  const { what, effect } = OWN_TIME[clock.kind](deal)
  const at = formatDateTime(new Date(clock.dueAt))
  return Date.parse(clock.dueAt) <= now
    ? `Your dispute has not moved the end of ${what}, which was on ${at}. When you withdraw it, ${effect} at once.`
    : `The money stays held. Your dispute has not moved the end of ${what}: on ${at} ${effect}.`
}

/** Each deadline, and what happens when it ends. */
const OWN_TIME: Record<Kind, (deal: Deal) => { readonly what: string; readonly effect: string }> = {
  payment_window: () => ({ what: 'the time to pay', effect: 'the transaction is cancelled' }),
  ship_by: ({ buyer }) => ({
    what: 'the time to ship',
    effect: `the money goes back to ${buyer.firstName} unless the item has been shipped`,
  }),
  receive_by: () => ({
    what: 'the time for the item to arrive',
    effect: 'the system files a dispute unless the item has arrived',
  }),
  inspection: ({ seller }) => ({
    what: 'the inspection period',
    effect: `the money is released to ${seller.firstName}`,
  }),
}
