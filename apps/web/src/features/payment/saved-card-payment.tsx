import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { endAttempt } from './attempt-key.js'
import { startAwaiting } from './awaited-payment.js'
import type { CardFormProps } from './card-form.types.js'
import { Declined } from './declined.js'
import { SavedCardButton } from './shared/saved-card-button.js'
import { CARD_FAILED } from './shared/shown-outcome.js'
import { showAfterCard } from './use-payment.js'

/** Paying a deal with a saved card. */
export function SavedCardPayment({ deal, payment, problem, onStage, card }: CardFormProps & { card: SavedCard }) {
  const [declined, setDeclined] = useState(problem)
  function refuse(words: string | null) {
    endAttempt(deal.id, 'card')
    setDeclined(words || CARD_FAILED)
    toastError('Payment Failed', words || CARD_FAILED)
  }
  const lookAfter = (refusal: string | null) => showAfterCard(deal.id, payment, refusal, { onStage, onRefused: refuse })
  return (
    <SavedCardButton
      at={payment}
      card={card}
      label={`Pay ${displayAmount(payment.total, payment.currency)}`}
      returnPath={paths.sendFunds(deal.id)}
      shown={declined && <Declined words={declined} />}
      onLeave={() => startAwaiting(deal.id)}
      onDone={() => onStage({ name: 'confirming', payment })}
      onUnknown={() => void lookAfter(null)}
      onRefused={words => void lookAfter(words)}
    />
  )
}
