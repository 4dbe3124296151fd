import type { SettledChargeback as Chargeback, Transaction } from '@holdfast/contracts/transactions'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import { ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'

interface SettledChargebackProps {
  deal: Pick<Transaction, 'viewerRole' | 'currency' | 'money'> & { buyer: Pick<Transaction['buyer'], 'firstName'> }
  chargeback: Chargeback
}

/** What the buyer's bank does about the payment of a deal that is over, and what it means for the viewer's money. */
export default function SettledChargeback({
  deal: { viewerRole, buyer, currency, money },
  chargeback,
}: SettledChargebackProps) {
  const { status, since } = chargeback
  const isBuyer = viewerRole === 'buyer'
  const amount = displayAmount(chargeback.amount, currency)
  const bank = isBuyer ? 'Your bank' : `${buyer.firstName}’s bank`
  const date = formatDate(new Date(since))
  const titles: Record<Chargeback['status'], string> = {
    open: `${bank} asked for ${amount} back on ${date}`,
    lost: `${bank} gave ${isBuyer ? 'you' : buyer.firstName} ${amount} back on ${date}`,
    won: `${bank} decided on ${date} that the payment stands`,
  }
  const touchesBalance = !isBuyer && !isZero(chargeback.fromSeller)
  return (
    <Notice
      tone={touchesBalance && status === 'lost' ? 'trouble' : 'plain'}
      title={titles[status]}
      action={
        touchesBalance && (
          <ButtonLink to={paths.payouts} kind="quiet" size="sm">
            Your Balance
          </ButtonLink>
        )
      }
    >
      {status === 'won' && !isZero(money.chargedBack)
        ? KEPT_FOR_AN_OPERATOR
        : isBuyer
          ? forBuyer(status, amount, !isZero(money.refunded))
          : forSeller(
              status,
              amount,
              touchesBalance && displayAmount(chargeback.fromSeller, currency),
              buyer.firstName,
            )}
    </Notice>
  )
}

/** The bank had given the money back, and has decided again after the deal had ended. */
const KEPT_FOR_AN_OPERATOR =
  'Before, the bank had decided that the buyer gets the money back. Holdfast has the money again. We will write to you about it.'

function forBuyer(status: Chargeback['status'], amount: string, isRefunded: boolean): string {
  switch (status) {
    case 'open':
      return 'It decides within some weeks whether you get the money back. Holdfast answers the bank. You have nothing to do here.'
    case 'lost':
      return 'You have this money from your bank, and not from Holdfast.'
    case 'won':
      return `It had asked for ${amount} back. ${isRefunded ? 'The refund of Holdfast stays as it is.' : 'You do not get the money back from your bank.'}`
  }
}

/** @param fromSeller what the chargeback takes from the seller's balance; false when it takes nothing */
function forSeller(status: Chargeback['status'], amount: string, fromSeller: string | false, buyer: string): string {
  switch (status) {
    case 'open':
      return fromSeller
        ? `Holdfast answers the bank. Until the bank decides, only what your balance has above ${fromSeller} is paid out. If it decides for ${buyer}, ${fromSeller} is taken from your balance.`
        : 'Holdfast answers the bank. Nothing is taken from your balance, whatever the bank decides.'
    case 'lost':
      return fromSeller
        ? `${fromSeller} was taken from your balance. If your balance is below zero now, your next sales repay it.`
        : 'Nothing was taken from your balance.'
    case 'won':
      return `It had asked for ${amount} back. Your balance has lost nothing by it.`
  }
}
