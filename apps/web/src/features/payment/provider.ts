import { type CardDetails, digitsOf, readExpiry } from './card-format.js'

/** What the browser needs to speak with the provider about one payment. */
export interface ProviderPayment {
  /** The origin that speaks Stripe's API: Stripe's own, or the sandbox's. */
  readonly providerUrl: string
  readonly publishableKey: string
  readonly clientSecret: string
}

/** Where the provider says a payment is. */
export type IntentState =
  | { readonly kind: 'open'; readonly problem: string | null }
  | { readonly kind: 'processing' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'cancelled' }
  /** The payer's bank asks for a confirmation first (3-D Secure): its page is there. */
  | { readonly kind: 'redirect'; readonly url: string }

const TIMEOUT_MS = 30_000

/** Stripe's own origins: there its card fields are used, and card numbers never pass through this page's code. */
export const isStripeItself = (providerUrl: string) => {
  const { hostname } = new URL(providerUrl)
  return hostname === 'stripe.com' || hostname.endsWith('.stripe.com')
}

/** The provider refused; its words are meant for the payer. `declined` when it was the card. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  constructor(
    message: string,
    readonly declined: boolean,
  ) {
    super(message)
  }
}

/** There was no answer: whether the card was charged is not known until the provider is asked. */
export class ProviderSilence extends Error {
  override readonly name = 'ProviderSilence'
}

/**
 * Pays with a card at a provider that speaks Stripe's API: makes a payment method of it, then confirms the intent. The
 * card goes from the browser to the provider alone.
 *
 * @param returnUrl where the bank's page leads back to
 * @throws ProviderRefusal with words for the payer; nothing was charged
 * @throws ProviderSilence when there was no answer to the confirmation: ask `findIntent`
 */
export async function payByCard(payment: ProviderPayment, card: CardDetails, returnUrl: string): Promise<IntentState> {
  const expiry = readExpiry(card.expiry)
  if (!expiry) throw new Error('the card was not checked before it was sent')
  const method = await ask(payment, 'POST', '/v1/payment_methods', {
    type: 'card',
    'card[number]': digitsOf(card.cardNumber),
    'card[exp_month]': String(expiry.month),
    'card[exp_year]': String(expiry.year),
    'card[cvc]': card.cvv,
    'billing_details[name]': card.name.trim(),
  })
  return confirmWith(payment, method.id ?? '', returnUrl)
}

/**
 * Confirms with a payment method that the provider knows: a card that was just made, or a saved one. It pays, or saves the card when
 * the secret is that of a setup. Throws as `payByCard`.
 */
export async function confirmWith(payment: ProviderPayment, methodId: string, returnUrl: string): Promise<IntentState> {
  const intent = await ask(payment, 'POST', `${pathOf(payment)}/confirm`, {
    client_secret: payment.clientSecret,
    payment_method: methodId,
    return_url: returnUrl,
  })
  return stateOf(intent)
}

/** Where the payment is, as the provider says. @throws ProviderSilence, ProviderRefusal */
export async function findIntent(payment: ProviderPayment): Promise<IntentState> {
  return stateOf(await ask(payment, 'GET', pathOf(payment), { client_secret: payment.clientSecret }))
}

/**
 * Leads to the page of the payer's bank. On the way back with the browser's button some browsers show this page as it was left, where
 * something is still being processed. Then it is loaded anew, and asks where the payment is.
 */
export function goToBank(url: string): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
  location.assign(url)
}

/** "pi_3N_secret_x" names the payment intent "pi_3N", and "seti_…" a setup, by which a card is saved without a payment. */
function pathOf({ clientSecret }: ProviderPayment): string {
  const id = clientSecret.split('_secret_')[0] ?? ''
  return id.startsWith('seti_') ? `/v1/setup_intents/${id}` : `/v1/payment_intents/${id}`
}

interface Answer {
  readonly id?: string
  readonly status?: string
  readonly last_payment_error?: { readonly code?: string; readonly message?: string } | null
  readonly last_setup_error?: { readonly code?: string; readonly message?: string } | null
  readonly next_action?: { readonly redirect_to_url?: { readonly url?: string } } | null
  readonly error?: { readonly message?: string; readonly type?: string }
}

export function stateOf(intent: Answer): IntentState {
  switch (intent.status) {
    case 'succeeded':
    case 'processing':
      return { kind: intent.status }
    case 'canceled':
      return { kind: 'cancelled' }
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url
      if (url) return { kind: 'redirect', url }
      return { kind: 'open', problem: null }
    }
    default:
      return { kind: 'open', problem: problemOf(intent) }
  }
}

// The provider's own message for this error is written for programmers.
const NOT_CONFIRMED = 'Your bank did not confirm the payment.'

function problemOf({ last_payment_error: payment, last_setup_error: setup }: Answer): string | null {
  const error = payment ?? setup
  return error?.code?.endsWith('_authentication_failure') ? NOT_CONFIRMED : (error?.message ?? null)
}

async function ask(
  { providerUrl, publishableKey }: ProviderPayment,
  method: 'GET' | 'POST',
  path: string,
  fields: Record<string, string>,
): Promise<Answer> {
  const form = new URLSearchParams(fields)
  const url = new URL(method === 'GET' ? `${path}?${form}` : path, providerUrl)
  let response: Response
  let answer: Answer
  try {
    response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${publishableKey}` },
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'POST' ? { body: form } : {}),
    })
    answer = await response.json()
  } catch (cause) {
    throw new ProviderSilence('the payment provider did not answer', { cause })
  }
  if (response.ok) return answer
  // What fails on the provider's own side may still have happened.
  if (response.status >= 500) throw new ProviderSilence('the payment provider failed')
  throw new ProviderRefusal(answer.error?.message ?? '', answer.error?.type === 'card_error')
}
