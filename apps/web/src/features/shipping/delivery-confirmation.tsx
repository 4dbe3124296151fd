import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button, ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { Panel } from '../../components/panel.js'
import { paths } from '../../lib/paths.js'
import { CommandDialog } from '../deal/shared/command-dialog.js'
import { notSentYet } from '../deal/shared/command-words.js'
import { useConfirmDelivery } from './shared/confirm-delivery.js'

/** Where the buyer says that the item arrived. The seller reads how to hand it over, and that only the buyer confirms. */
export function DeliveryConfirmation({ transaction }: { transaction: Transaction }) {
  const { id, status, actions, completesOnDelivery, currency, money, seller } = transaction
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const { confirm, busy } = useConfirmDelivery(transaction, () => navigate(paths.transaction(id)))
  // A buyer can confirm before the item was sent, but rarely should.
  const isUsual = status !== 'paid'
  const canConfirm = actions.includes('confirm_delivery')

  return (
    <Panel>
      <h2 className="display mb-3 text-xl">Manual Delivery Confirmation</h2>
      <p className="max-w-text text-ink-soft">{explanation(transaction)}</p>
      {canConfirm && completesOnDelivery && (
        <div className="mt-4">
          <Notice title="This releases the money at once">
            The item was sold as-is, with no inspection period: when you confirm,{' '}
            {displayAmount(money.sellerNet, currency)} goes to {seller.firstName} and cannot be had back. Look at the
            item first.
          </Notice>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <ButtonLink to={paths.transaction(id)} kind="quiet">
          Back to Transaction
        </ButtonLink>
        {canConfirm && (
          <Button
            kind={isUsual ? 'primary' : 'quiet'}
            busy={busy}
            onClick={() => (completesOnDelivery ? setIsAsking(true) : void confirm())}
          >
            {busy ? 'Confirming...' : 'Mark as Delivered'}
          </Button>
        )}
      </div>
      <CommandDialog
        deal={transaction}
        command={isAsking ? 'confirm_delivery' : null}
        onClose={() => setIsAsking(false)}
        onConfirm={confirm}
      />
    </Panel>
  )
}

function explanation(deal: Transaction): string {
  const { actions, viewerRole, status, buyer, seller, listing, sellerAccepted } = deal
  if (actions.includes('confirm_delivery')) {
    const when = notSentYet(deal) || 'Confirm once you have received the item. '
    return listing.inspectionPeriod > 0
      ? `${when}The inspection period of ${listing.inspectionPeriod} days then begins; the money stays held.`
      : when.trim()
  }
  if (viewerRole === 'seller' && ['paid', 'in_progress', 'shipped'].includes(status)) {
    const first = actions.includes('start_handover')
      ? 'To hand the item over in person, choose “Hand Over in Person” on the transaction page. '
      : ''
    return `${first}When ${buyer.firstName} has the item, ${buyer.firstName} can confirm receipt here; you cannot confirm it for them. Until then the money stays held.`
  }
  if (status === 'paid' && !sellerAccepted)
    return `${seller.firstName} has not accepted this transaction yet. You can confirm receipt here once ${seller.firstName} has shipped the item, or says that it is handed over in person. If nothing is shipped in time, everything goes back to you.`
  if (status === 'pending' || status === 'secured')
    return 'The buyer can confirm receipt here once the item was paid for.'
  return 'There is nothing to confirm: this transaction is past its delivery, or on hold.'
}
