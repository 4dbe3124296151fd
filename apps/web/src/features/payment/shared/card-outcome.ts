import { useState } from 'react'
import {
  findIntent,
  goToBank,
  type IntentState,
  type ProviderPayment,
  ProviderRefusal,
  ProviderSilence,
} from '../provider.js'

/** What happens after a card was given to the provider. */
export interface CardOutcome {
  readonly at: ProviderPayment
  /** It has paid, or is saved. */
  readonly onDone: () => void
  /** It was refused, in the provider's words. */
  readonly onRefused: (words: string | null) => void
  /** The provider gives no answer at all: whether it was charged is not known. */
  readonly onUnknown: () => void
  /** Runs before the browser leaves for the page of the holder's bank, which leads back. */
  readonly onLeave?: () => void
  /** Whether a card is with the provider now: nothing that it pays may be changed meanwhile. */
  readonly onBusy?: ((busy: boolean) => void) | undefined
}

/**
 * Gives a card to the provider, once at a time, and says how that ended. After a refusal, and without an answer, the provider is asked where
 * the payment is: another tab may have paid it.
 */
export function useCardOutcome({ at, onDone, onRefused, onUnknown, onLeave, onBusy }: CardOutcome) {
  const [busy, setBusy] = useState(false)
  function show(isBusy: boolean) {
    setBusy(isBusy)
    onBusy?.(isBusy)
  }
  async function give(confirm: () => Promise<IntentState>) {
    show(true)
    const state = await stateAfter(at, confirm)
    if (state.kind === 'redirect') {
      onLeave?.()
      goToBank(state.url)
      return
    }
    show(false)
    if (state.kind === 'succeeded' || state.kind === 'processing') onDone()
    else if (state.kind === 'unknown') onUnknown()
    else onRefused(state.kind === 'open' ? state.problem : null)
  }
  return { busy, give }
}

async function stateAfter(
  at: ProviderPayment,
  confirm: () => Promise<IntentState>,
): Promise<IntentState | { readonly kind: 'unknown' }> {
  let refusal: string | null = null
  try {
    return await confirm()
  } catch (error) {
    if (error instanceof ProviderRefusal) refusal = error.message
    else if (!(error instanceof ProviderSilence)) throw error
  }
  try {
    const state = await findIntent(at)
    return state.kind === 'open' && refusal !== null ? { ...state, problem: refusal } : state
  } catch (error) {
    console.warn('the payment provider could not be asked', error)
    return { kind: 'unknown' }
  }
}
