import { displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Form } from '../../components/form.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { endAttempt } from './attempt-key.js'
import { startAwaiting } from './awaited-payment.js'
import { CardFields } from './card-fields.js'
import type { CardFormProps } from './card-form.types.js'
import { type CardDetails, cardErrors } from './card-format.js'
import { Declined } from './declined.js'
import { goToBank, ProviderRefusal, ProviderSilence, payByCard } from './provider.js'
import { TestCardHint } from './test-card-hint.js'
import { showAfterCard } from './use-payment.js'

const EMPTY: CardDetails = { cardNumber: '', expiry: '', cvv: '', name: '' }
const FAILED = 'There was an error processing your payment.'

/** Our own card fields, for a provider that has none: the sandbox. What is typed goes to the provider, never to us. */
export function ApiCardForm({ deal, payment, problem, onStage }: CardFormProps) {
  const form = useForm({ initial: EMPTY, validate: card => cardErrors(card, new Date()) })
  const [busy, setBusy] = useState(false)
  const [declined, setDeclined] = useState(problem)

  async function pay(card: CardDetails) {
    setBusy(true)
    setDeclined(null)
    try {
      const state = await payByCard(payment, card, new URL(paths.sendFunds(deal.id), location.origin).href)
      if (state.kind === 'redirect') {
        // The bank's page leads back here. By then the server may have confirmed the payment.
        startAwaiting(deal.id)
        goToBank(state.url)
      } else if (state.kind === 'open') await lookAfter(state.problem)
      else onStage({ name: 'confirming', payment })
    } catch (error) {
      if (error instanceof ProviderRefusal) await lookAfter(error.message)
      else if (error instanceof ProviderSilence) await lookAfter(null)
      else throw error
    }
  }

  const lookAfter = (refusal: string | null) => showAfterCard(deal.id, payment, refusal, { onStage, onRefused: refuse })

  function refuse(words: string | null) {
    endAttempt(deal.id, 'card')
    setBusy(false)
    setDeclined(words || FAILED)
    toastError('Payment Failed', words || FAILED)
  }

  return (
    <Form form={form} onSubmit={pay} className="grid gap-5">
      {declined && <Declined words={declined} />}
      <CardFields form={form} />
      <TestCardHint />
      <Button type="submit" size="lg" busy={busy} className="w-full">
        {busy ? 'Processing...' : `Pay ${displayAmount(payment.total, payment.currency)}`}
      </Button>
    </Form>
  )
}
