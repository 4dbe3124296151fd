import type { Transaction } from '@holdfast/contracts/transactions'
import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { TextLink } from '../../components/link.js'
import { Panel } from '../../components/panel.js'
import { paths } from '../../lib/paths.js'
import { CommandDialog } from './command-dialog.js'
import { CONFIRMED_COMMANDS, type ConfirmedCommand, commandWords } from './command-words.js'
import { useCommands } from './use-commands.js'

/** Everything the viewer can do now; what the server would refuse is not offered. */
export function ActionsCard({ transaction }: { transaction: Transaction }) {
  const [asked, setAsked] = useState<ConfirmedCommand | null>(null)
  const give = useCommands(transaction)
  const { actions, money, status } = transaction
  const offered = CONFIRMED_COMMANDS.filter(command => actions.includes(command))
  return (
    <Panel>
      <h2 className="mb-3 font-semibold">Actions</h2>
      <div className="grid gap-2.5">
        <PayLink transaction={transaction} />
        <ShippingLink transaction={transaction} />
        {offered.map(command => (
          <Button key={command} kind={kindOf(command)} onClick={() => setAsked(command)}>
            {commandWords(command, transaction).button}
          </Button>
        ))}
        <ButtonLink to={paths.messages} kind="quiet">
          Messages
        </ButtonLink>
        <ButtonLink to={paths.dashboard} kind="quiet">
          Dashboard
        </ButtonLink>
      </div>
      {status !== 'disputed' && money.held !== '0.00' && (
        <p className="mt-4 text-sm text-ink-soft">
          Something wrong? <TextLink to={paths.fileDispute}>File a dispute</TextLink>: every clock stops, and the money
          stays held.
        </p>
      )}
      <CommandDialog transaction={transaction} command={asked} onClose={() => setAsked(null)} onConfirm={give} />
    </Panel>
  )
}

const kindOf = (command: ConfirmedCommand) =>
  command === 'accept' || command === 'confirm_delivery'
    ? 'primary'
    : command === 'refund' || command === 'cancel'
      ? 'trouble'
      : 'quiet'

function PayLink({ transaction: { id, actions, paymentProcessing } }: { transaction: Transaction }) {
  if (!actions.includes('pay')) return null
  return (
    <ButtonLink to={paths.sendFunds(id)} kind={paymentProcessing ? 'quiet' : 'hold'}>
      {paymentProcessing ? 'See the Payment' : 'Send Funds'}
    </ButtonLink>
  )
}

/** The way to the item-shipped page, for whoever has something to do or to see there. */
function ShippingLink({
  transaction: { id, actions, status, trackingNumber, viewerRole },
}: {
  transaction: Transaction
}) {
  if (actions.includes('save_tracking') && !trackingNumber) {
    return (
      <ButtonLink to={paths.itemShipped(id)} kind={status === 'paid' ? 'primary' : 'quiet'}>
        Ship Item
      </ButtonLink>
    )
  }
  const travels = trackingNumber !== null || (viewerRole === 'buyer' && actions.includes('confirm_delivery'))
  if (!travels) return null
  return (
    <ButtonLink to={paths.itemShipped(id)} kind="quiet">
      Shipping and Tracking
    </ButtonLink>
  )
}
