import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

const SENTENCES: Record<Exclude<PaymentMethod, 'card'>, string> = {
  bank: 'Payments from a bank account are not offered at present. Nothing is charged here.',
  crypto: 'Payments in cryptocurrency are not offered at present. Nothing is charged here, and nothing should be sent.',
}

interface ClosedMethodProps {
  method: keyof typeof SENTENCES
  onUseCard: () => void
}

/** A way to pay that is not open: it says so, asks for nothing, and leads back to the card. */
export function ClosedMethod({ method, onUseCard }: ClosedMethodProps) {
  return (
    <Notice
      title="Not open yet"
      action={
        <Button kind="quiet" size="sm" onClick={onUseCard}>
          Pay by Card
        </Button>
      }
    >
      {SENTENCES[method]}
    </Notice>
  )
}
