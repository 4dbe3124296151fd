import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

/** The provider did not answer. Until it does, nothing here can be paid: it might be paid already. */
export function UnknownPayment({ onAsk }: { onAsk: () => void }) {
  return (
    <Notice
      alert
      title="We do not know yet whether your card was charged"
      action={
        <Button size="sm" onClick={onAsk}>
          Ask Again
        </Button>
      }
    >
      The payment provider did not answer. Do not pay again elsewhere: if the payment went through, it shows here and on
      the transaction by itself, and you are never charged twice for one transaction.
    </Notice>
  )
}
