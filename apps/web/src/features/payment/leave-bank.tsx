import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

interface LeaveBankProps {
  method: Exclude<PaymentMethod, 'bank'>
  /** Whether a part of the transfer has arrived. */
  hasMoney: boolean
  onLeave: () => void
}

/** Asks before the buyer leaves an open bank transfer for another way to pay, because opening another payment closes the transfer. */
export function LeaveBank({ method, hasMoney, onLeave }: LeaveBankProps) {
  const name = method === 'card' ? 'Card' : 'Crypto'
  const instead = `If you pay by ${name.toLowerCase()} instead`
  return (
    <Notice
      title="You have started a bank transfer"
      action={
        <Button kind="quiet" size="sm" onClick={onLeave}>
          Pay by {name} Instead
        </Button>
      }
    >
      {hasMoney
        ? `${instead}, the part that has arrived goes back to your bank.`
        : `${instead}, the bank details are no longer used. Money that still arrives goes back to your bank.`}
    </Notice>
  )
}
