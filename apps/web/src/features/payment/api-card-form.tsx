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
import { ProviderRefusal, ProviderSilence, payByCard } from './provider.js'
import { stageOf } from './use-payment.js'

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
        location.assign(state.url)
      } else if (state.kind === 'open') refuse(state.problem)
      else onStage({ name: 'confirming', payment })
    } catch (error) {
      if (error instanceof ProviderRefusal) refuse(error.message)
      else if (error instanceof ProviderSilence) onStage((await stageOf(payment)) ?? { name: 'unknown', payment })
      else throw error
    }
  }

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

/** Only the sandbox reaches this form, so these cards always work here. */
function TestCardHint() {
  return (
    <details className="rounded-md border border-dashed border-edge px-3.5 py-2.5 text-sm">
      <summary className="font-semibold">Test payments: no real card is charged</summary>
      <ul className="figures mt-2 grid gap-1 text-ink-soft">
        <li>4242 4242 4242 4242 pays</li>
        <li>4000 0025 0000 3155 asks the bank first</li>
        <li>4000 0000 0000 0002 is declined</li>
      </ul>
      <p className="mt-1.5 text-ink-soft">Any month to come, any three digits, any name.</p>
    </details>
  )
}
