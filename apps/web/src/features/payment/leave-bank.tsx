import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

interface LeaveBankProps {
  /** Whether a part of the transfer has arrived. */
  hasMoney: boolean
  onLeave: () => void
}

/** Before the card form while a bank transfer is open: opening a payment by card closes the transfer. */
export function LeaveBank({ hasMoney, onLeave }: LeaveBankProps) {
  return (
    <Notice
      title="You have started a bank transfer"
      action={
        <Button kind="quiet" size="sm" onClick={onLeave}>
          Pay by Card Instead
        </Button>
      }
    >
      {hasMoney
        ? 'If you pay by card instead, the part that has arrived goes back to your bank.'
        : 'If you pay by card instead, the bank details are no longer used. Money that still arrives goes back to your bank.'}
    </Notice>
  )
}
