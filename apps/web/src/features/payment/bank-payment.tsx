import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

/** What paying from a bank account will be, and that it is not open yet. */
export function BankPayment({ onUseCard }: { onUseCard: () => void }) {
  return (
    <div className="grid gap-5">
      <p>You will be redirected to your bank to approve the payment.</p>
      <Notice
        title="Not open yet"
        action={
          <Button kind="quiet" size="sm" onClick={onUseCard}>
            Pay by Card
          </Button>
        }
      >
        Payments from a bank account are not offered at present. Nothing is charged here.
      </Notice>
    </div>
  )
}
