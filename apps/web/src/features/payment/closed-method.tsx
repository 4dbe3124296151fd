import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'

const WORDS =
  'Payments in cryptocurrency are not offered at present. Nothing is charged here, and nothing should be sent.'

/** A way to pay that is not open: it says so, asks for nothing, and leads back to the card. */
export function ClosedMethod({ onUseCard }: { onUseCard: () => void }) {
  return (
    <Notice
      title="Not open yet"
      action={
        <Button kind="quiet" size="sm" onClick={onUseCard}>
          Pay by Card
        </Button>
      }
    >
      {WORDS}
    </Notice>
  )
}
