import { routes } from 'virtual:routes'
import { lazy, Suspense, useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { Facts } from '../../../components/facts.js'
import { Money } from '../../../components/money.js'
import { Skeleton } from '../../../components/skeleton.js'
import { formatDateTime } from '../../../lib/time.js'
import { type CaseProps, isBack, may, paramsOf, useCaseCommand } from './case.js'
import { ReasonDialog } from './reason-dialog.js'

// Only the buyer of a return needs the form.
const ReturnForm = lazy(() => import('./return-form.js'))

/** The item's way back to the seller. */
export function ReturnSection({ dispute }: CaseProps) {
  if (!dispute.return && !may(dispute, 'shipReturn', 'confirmReturn', 'contestReturn')) return null
  return (
    <section id="return" tabIndex={-1} aria-labelledby="return-title" className="grid scroll-mt-20 outline-none gap-5">
      <h2 id="return-title" className="display text-xl">
        Return
      </h2>
      <Shipment dispute={dispute} />
      {may(dispute, 'shipReturn') && (
        <Suspense
          fallback={<Skeleton className={dispute.return?.shippedAt ? 'h-56 w-full sm:h-34' : 'h-84 w-full sm:h-52'} />}
        >
          <ReturnForm dispute={dispute} />
        </Suspense>
      )}
      <SellersWord dispute={dispute} />
    </section>
  )
}

function Shipment({ dispute }: CaseProps) {
  const { trackingNumber, carrier, shippedAt, deliveredAt, contest } = dispute.return ?? {}
  if (!shippedAt) {
    const { buyer, viewerRole } = dispute
    if (viewerRole === 'buyer') return null
    return (
      <p className="text-ink-soft">
        {buyer.firstName} has not sent the item back yet.
        {viewerRole === 'seller' && ` Tell ${buyer.firstName} the address in the chat of the transaction.`}
      </p>
    )
  }
  return (
    <>
      <Facts
        facts={[
          { label: 'Tracking Number', value: <span className="figures">{trackingNumber ?? 'Not specified'}</span> },
          { label: 'Carrier', value: carrier ?? 'Not specified' },
          { label: 'Sent back', value: formatDateTime(new Date(shippedAt)) },
          { label: 'Delivered', value: deliveredAt ? formatDateTime(new Date(deliveredAt)) : notReported(dispute) },
        ]}
      />
      {contest && (
        <div className="border-l-2 border-ink pl-4">
          <h3 className="text-sm font-semibold">
            {dispute.viewerRole === 'seller' ? 'You contest' : `${dispute.seller.firstName} contests`} what came back
          </h3>
          <p className="text-sm text-ink-soft">{formatDateTime(new Date(contest.at))}</p>
          <p className="max-w-text typed">{contest.reason}</p>
        </div>
      )}
    </>
  )
}

const notReported = ({ status }: CaseProps['dispute']) => (status === 'closed' ? 'Not reported' : 'Not reported yet')

/** What the seller says about the return. Until the carrier has delivered it there is usually nothing to say. */
function SellersWord({ dispute }: CaseProps) {
  const [asked, setAsked] = useState<'confirm' | 'contest' | null>(null)
  const confirm = useCaseCommand(routes.confirmReturn, dispute, {
    whether: 'the return was confirmed',
    done: ['The item is back', `${dispute.buyer.firstName} gets a full refund.`],
    refused: 'The return was not confirmed',
  })
  const contest = useCaseCommand(routes.contestReturn, dispute, {
    whether: 'the return was contested',
    done: ['A mediator decides about the return', 'The money stays held until then.'],
    refused: 'The return was not contested',
  })
  if (!may(dispute, 'confirmReturn', 'contestReturn')) return null
  const { settlement, currency, buyer } = dispute
  const close = () => setAsked(null)
  const sendConfirm = async () => {
    await confirm.give({ params: paramsOf(dispute) })
    close()
  }
  const buttons = (
    <div className="flex flex-wrap gap-3">
      {may(dispute, 'confirmReturn') && <Button onClick={() => setAsked('confirm')}>The Item Is Back</Button>}
      {may(dispute, 'contestReturn') && (
        <Button kind="quiet" onClick={() => setAsked('contest')}>
          Contest
        </Button>
      )}
    </div>
  )
  return (
    <>
      {isBack(dispute) ? (
        buttons
      ) : (
        <details>
          <summary className="w-fit">Something has arrived already</summary>
          <div className="mt-3">{buttons}</div>
        </details>
      )}
      <AlertDialog
        open={asked === 'confirm'}
        onClose={close}
        title="Is the item back with you?"
        description={`${buyer.firstName} then gets everything back, fees included, and you receive nothing. This cannot be taken back.`}
        basis={settlement?.held}
        confirm="It Is Back, Refund in Full"
        busyWords="Refunding..."
        busy={confirm.busy}
        onConfirm={() => void sendConfirm()}
      >
        {settlement && (
          <Facts
            facts={[
              { label: `Back to ${buyer.firstName}`, value: <Money amount={settlement.held} currency={currency} /> },
            ]}
          />
        )}
      </AlertDialog>
      <ReasonDialog
        open={asked === 'contest'}
        onClose={close}
        draft={`contest:${dispute.id}`}
        title="Contest what came back?"
        description="You can do this once. A mediator then decides finally. Add pictures of what came back under Evidence."
        label="What is wrong with it?"
        missing="Say what is wrong with what came back."
        send="Contest"
        sending="Sending..."
        busy={contest.busy}
        onSend={reason => contest.give({ params: paramsOf(dispute), body: { reason } })}
      />
    </>
  )
}
