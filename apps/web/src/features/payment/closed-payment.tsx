import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

/** The payment of this form can charge no card any more. */
export function ClosedPayment({ onGoOn }: { onGoOn: () => void }) {
  return (
    <Notice
      alert
      title="This payment was closed"
      action={
        <Button size="sm" onClick={onGoOn}>
          Go On
        </Button>
      }
    >
      Another payment of this transaction was opened, in another tab or on another device. This one charged nothing.
    </Notice>
  )
}
