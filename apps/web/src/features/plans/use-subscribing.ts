import { routes } from 'virtual:routes'
import type { OpenedSubscription } from '@holdfast/contracts/subscriptions'
import { ApiError } from '@holdfast/http-client/api-error'
import type { SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { useEffect, useState } from 'react'
import { request } from '../../lib/api.js'
import { toastError } from '../../lib/toast.js'
import { findIntent } from '../payment/shared/intent.js'

/** Where subscribing stands on this page. */
export type SubscribingStage =
  | { readonly name: 'loading' }
  | { readonly name: 'failed' }
  /** The user can enter a card. `problem` is the provider's refusal of the last one. */
  | { readonly name: 'ready'; readonly opened: OpenedSubscription; readonly problem: string | null }
  /** The provider has the payment. The server has not confirmed Premium yet. */
  | { readonly name: 'confirming' }
  | { readonly name: 'premium' }

/**
 * Opens the subscription when the page is loaded, or continues the one that waits for its payment, and asks the provider for the state of
 * the payment. So a reload, or the return from the bank, shows that state and no form that could pay twice.
 */
export function useSubscribing() {
  const [stage, setStage] = useState<SubscribingStage>({ name: 'loading' })
  // An object, so that the same choice asks again: the server keeps the other interval while a payment of it is under way.
  const [choice, setChoice] = useState<{ readonly interval: SubscriptionInterval | null }>({ interval: null })
  useEffect(() => {
    let current = true
    setStage({ name: 'loading' })
    open(choice.interval).then(
      next => current && setStage(next),
      (error: unknown) => {
        if (!current) return
        console.warn('the subscription could not be opened', error)
        setStage({ name: 'failed' })
        toastError('Error', 'Failed to initialize subscription. Please try again.')
      },
    )
    return () => {
      current = false
    }
  }, [choice])
  return { stage, setStage, choose: (interval: SubscriptionInterval) => setChoice({ interval }) }
}

async function open(interval: SubscriptionInterval | null): Promise<SubscribingStage> {
  let opened: OpenedSubscription
  try {
    opened = await request(routes.createSubscription, { body: interval === null ? {} : { interval } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SUBSCRIPTION_EXISTS') return { name: 'premium' }
    throw error
  }
  if (!opened.clientSecret) return { name: 'failed' }
  const state = await findIntent(opened)
  if (state.kind === 'succeeded' || state.kind === 'processing') return { name: 'confirming' }
  return { name: 'ready', opened, problem: state.kind === 'open' ? state.problem : null }
}
