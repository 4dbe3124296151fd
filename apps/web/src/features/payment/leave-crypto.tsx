import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

interface LeaveCryptoProps {
  method: Exclude<PaymentMethod, 'crypto'>
  onLeave: () => void
}

/** Asks before the buyer leaves an open crypto payment for another way to pay, because opening another payment closes it. */
export function LeaveCrypto({ method, onLeave }: LeaveCryptoProps) {
  const name = method === 'card' ? 'Card' : 'Bank'
  return (
    <Notice
      title="You have an address for a crypto payment"
      action={
        <Button kind="quiet" size="sm" onClick={onLeave}>
          Pay by {name} Instead
        </Button>
      }
    >
      If you pay by {name.toLowerCase()} instead, send nothing to that address. What still arrives there goes back to
      your wallet.
    </Notice>
  )
}
