import type { Transaction } from '@holdfast/contracts/transactions'
import { lazy, Suspense, useEffect } from 'react'
import { LoadError } from '../../components/load-error.js'
import { ApiCardForm } from './api-card-form.js'
import { startAwaiting } from './awaited-payment.js'
import type { CardFormProps } from './card-form.types.js'
import { CardFormSkeleton } from './card-form-skeleton.js'
import { ClosedPayment } from './closed-payment.js'
import { Confirming } from './confirming.js'
import { isStripeItself } from './provider.js'
import { SavedCardPayment } from './saved-card-payment.js'
import { SavedCardChoice } from './shared/saved-card-choice.js'
import { UnknownPayment } from './unknown-payment.js'
import { useBankReturn } from './use-bank-return.js'
import { usePayment } from './use-payment.js'

// Stripe's script comes from Stripe and sets cookies. So it is loaded only where Stripe is the provider.
const StripeCardForm = lazy(() => import('./stripe-card-form.js'))

interface CardPaymentProps {
  deal: Transaction
  /** Called with whether a card was sent whose outcome is not known yet: nothing else can be paid meanwhile. */
  onAwaiting: (awaiting: boolean) => void
}

/** Paying by card, from opening the payment until the server confirms that the money is held. */
export default function CardPayment({ deal, onAwaiting }: CardPaymentProps) {
  const { stage, setStage, begin } = usePayment(deal)
  const awaiting = stage.name === 'confirming' || stage.name === 'unknown'
  useEffect(() => onAwaiting(awaiting), [awaiting, onAwaiting])
  useBankReturn(deal.id, stage)
  switch (stage.name) {
    case 'preparing':
      return <CardFormSkeleton />
    case 'unavailable':
      return <LoadError title="Paying is not possible right now" error={stage.error} retry={begin} />
    case 'confirming':
      return <Confirming deal={deal} payment={stage.payment} onDeclined={begin} />
    case 'unknown':
      return <UnknownPayment onAsk={begin} />
    case 'closed':
      return <ClosedPayment onGoOn={begin} />
    case 'ready': {
      const Form = isStripeItself(stage.payment.providerUrl) ? StripeCardForm : ApiCardForm
      const form: CardFormProps = {
        ...{ deal, payment: stage.payment, problem: stage.problem },
        onStage: next => {
          // Unknown counts, too: the card was sent, and its money may be on the way.
          if (next.name === 'confirming' || next.name === 'unknown') startAwaiting(deal.id)
          setStage(next)
        },
      }
      return (
        <SavedCardChoice saved={card => <SavedCardPayment {...form} card={card} />}>
          <Suspense fallback={<CardFormSkeleton />}>
            <Form {...form} />
          </Suspense>
        </SavedCardChoice>
      )
    }
  }
}
