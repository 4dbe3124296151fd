import type { Transaction } from '@holdfast/contracts/transactions'
import { isActive } from '@holdfast/kernel/deals'
import { isZero } from '@holdfast/kernel/money'
import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { TextLink } from '../../components/link.js'
import { Panel } from '../../components/panel.js'
import { paths } from '../../lib/paths.js'
import { CaseLink } from '../disputes/shared/case-link.js'
import { CommandDialog } from './shared/command-dialog.js'
import { type ConfirmedCommand, commandWords } from './shared/command-words.js'
import { isOverdue } from './shared/overdue.js'
import { useCommands } from './use-commands.js'

/** What moves the deal on comes first; what ends it comes last. */
const FORWARD = ['accept', 'confirm_delivery', 'start_handover'] as const satisfies readonly ConfirmedCommand[]
const BACK = ['refund', 'cancel'] as const satisfies readonly ConfirmedCommand[]

/** Everything the viewer can do now; what the server would refuse is not offered. */
export function ActionsCard({ deal }: { deal: Transaction }) {
  const [asked, setAsked] = useState<ConfirmedCommand | null>(null)
  const give = useCommands(deal)
  const button = (command: ConfirmedCommand, kind: 'primary' | 'quiet' | 'trouble') =>
    deal.actions.includes(command) && (
      <Button key={command} kind={kind} onClick={() => setAsked(command)}>
        {commandWords(command, deal).button}
      </Button>
    )
  return (
    <Panel>
      <h2 className="mb-3 font-semibold">Actions</h2>
      <div className="grid gap-2.5 not-empty:mb-4">
        <PayLink deal={deal} />
        <ShipLink deal={deal} />
        {FORWARD.map(command => button(command, isNext(command, deal) ? 'primary' : 'quiet'))}
        <TrackingLink deal={deal} />
        {BACK.map(command => button(command, 'trouble'))}
      </div>
      <NothingToDo deal={deal} />
      <DisputeLine deal={deal} />
      <nav aria-label="From here" className="mt-4 flex gap-5 border-t border-rule pt-4 text-sm">
        <TextLink to={paths.messages}>Messages</TextLink>
        <TextLink to={paths.dashboard}>Dashboard</TextLink>
      </nav>
      <CommandDialog deal={deal} command={asked} onClose={() => setAsked(null)} onConfirm={give} />
    </Panel>
  )
}

/** Whether a command is the usual next step. A buyer can confirm the delivery before the item was sent, but rarely should. */
const isNext = (command: ConfirmedCommand, { status }: Transaction) =>
  command === 'accept' || (command === 'confirm_delivery' && status !== 'paid')

/** The words of a card without any action. */
function NothingToDo({ deal: { actions, status, chargeback } }: LinkProps) {
  if (actions.length > 0 || status === 'disputed') return null
  const goesOn = isActive(status) || chargeback?.status === 'open'
  return <p className="text-ink-soft">{goesOn ? 'Nothing for you to do right now.' : 'Nothing is left to do.'}</p>
}

interface LinkProps {
  deal: Transaction
}

function PayLink({ deal: { id, actions, paymentProcessing } }: LinkProps) {
  if (!actions.includes('pay')) return null
  return (
    <ButtonLink to={paths.sendFunds(id)} kind={paymentProcessing ? 'quiet' : 'primary'}>
      {paymentProcessing ? 'See the Payment' : 'Send Funds'}
    </ButtonLink>
  )
}

function ShipLink({ deal: { id, actions, status, trackingNumber } }: LinkProps) {
  if (!actions.includes('save_tracking') || trackingNumber) return null
  return (
    <ButtonLink to={paths.itemShipped(id)} kind={status === 'paid' ? 'primary' : 'quiet'}>
      Ship Item
    </ButtonLink>
  )
}

function TrackingLink({ deal: { id, trackingNumber, actions } }: LinkProps) {
  if (!trackingNumber && !actions.includes('confirm_delivery')) return null
  return (
    <ButtonLink to={paths.itemShipped(id)} kind="quiet">
      Shipping and Tracking
    </ButtonLink>
  )
}

/** While money is held a dispute can stop everything; while one runs, the way to it. */
function DisputeLine({ deal }: LinkProps) {
  const { id, status, money, reached, viewerRole, sellerAccepted, seller } = deal
  if (status === 'disputed') {
    const why = isOverdue(deal)
      ? 'The item did not arrive in time, so a dispute was opened. It ends when the item arrives, the seller refunds, you both settle, or a mediator rules.'
      : 'A dispute has stopped this transaction.'
    return <p className="text-sm text-ink-soft">{why}</p>
  }
  if (isZero(money.held)) return reached.some(step => step.status === 'disputed') ? <PastDispute dealId={id} /> : null
  if (viewerRole === 'buyer' && !sellerAccepted) {
    return (
      <p className="mt-4 text-sm text-ink-soft">
        You can confirm the delivery or file a dispute once {seller.firstName} has shipped or handed over. If nothing
        comes in time, you get everything back without either.
      </p>
    )
  }
  return (
    <p className="mt-4 text-sm text-ink-soft">
      Something wrong? <TextLink to={paths.fileDisputeOn(id)}>File a dispute</TextLink>: the money stays held. Your own
      deadlines are not moved by it.
    </p>
  )
}

const PastDispute = ({ dealId }: { dealId: number }) => (
  <p className="mt-4 text-sm text-ink-soft">
    This transaction was in dispute. <CaseLink transactionId={dealId} />
  </p>
)
