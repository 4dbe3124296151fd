import type { paymentRoutes } from '@holdfast/contracts/payments'
import type { Payout } from '@holdfast/contracts/payouts'
import type { Output } from '@holdfast/contracts/route'
import type { Person } from './people.js'

const ANSWER_WITHIN_MS = 20_000
const EXPIRES = { month: '12', year: '2034' }

type Payment = Output<typeof paymentRoutes.createPayment>

/** The scans of a parcel, by the sandbox's names. */
export type ParcelMove = 'accepted' | 'in_transit' | 'out_for_delivery' | 'delivered'

/** A payment as the sandbox lists it. */
interface SandboxPayment {
  readonly id: string
  readonly status: string
  /** What of a bank transfer has not arrived, in cents; null for another payment. */
  readonly missing: number | null
  readonly metadata: Readonly<Record<string, string>>
  /** The newest first. */
  readonly refunds: readonly { readonly id: string }[]
  readonly dispute: { readonly id: string } | null
}

/** The sandbox, as the payer's browser and a carrier's scanner use it. */
export class Sandbox {
  constructor(private readonly url: string) {}

  /** Pays with the test card that always succeeds. The product learns of it by webhook. */
  async payByCard(payment: Payment, holder: string): Promise<void> {
    const { clientSecret = '', publishableKey = '' } = payment
    const method = await this.asBrowser(publishableKey, '/v1/payment_methods', {
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': EXPIRES.month,
      'card[exp_year]': EXPIRES.year,
      'card[cvc]': '314',
      'billing_details[name]': holder,
    })
    // A client secret begins with the id of its intent.
    const [intentId] = clientSecret.split('_secret_')
    await this.asBrowser(publishableKey, `/v1/payment_intents/${intentId}/confirm`, {
      client_secret: clientSecret,
      payment_method: method.id,
    })
  }

  /** Transfers an amount to the bank details of a deal's payment, unless that was done, and lets the bank confirm it. */
  async payByTransfer(transactionId: number, amount: string): Promise<void> {
    const { id, missing } = await this.paymentOf(transactionId, ({ missing }) => missing !== null)
    if (missing !== 0) await this.must(`/sandbox/payments/${id}/transfer`, jsonPost({ amount: cents(amount) }))
    await this.unlessOver(`/sandbox/payments/${id}/settle`, {})
  }

  /** Adds a scan to a parcel, unless it has one with that message. */
  async move(trackingNumber: string, status: ParcelMove, message?: string): Promise<void> {
    const path = `/sandbox/parcels/${encodeURIComponent(trackingNumber)}`
    const known = await this.ask(path, { method: 'GET' })
    const parcel = known.ok ? ((await known.json()) as { scans: { message: string }[] }) : { scans: [] }
    if (message !== undefined && parcel.scans.some(scan => scan.message === message)) return
    await this.must(`${path}/move`, jsonPost({ status, message }))
  }

  /** Lets the buyer's bank take the payment of a deal back until it has decided. Answers the id of its dispute. */
  async disputePayment(transactionId: number): Promise<string> {
    const payment = await this.paymentOf(transactionId)
    if (payment.dispute) return payment.dispute.id
    const response = await this.must(`/sandbox/payments/${payment.id}/dispute`, { method: 'POST' })
    return ((await response.json()) as { id: string }).id
  }

  /** Lets the buyer's bank decide for the buyer, unless it has decided. */
  async loseDispute(id: string): Promise<void> {
    await this.unlessOver(`/sandbox/disputes/${id}/close`, { outcome: 'lost' })
  }

  /** Lets the buyer's bank return the refund of a deal. Answers false while the provider has none. */
  async failRefund(transactionId: number): Promise<boolean> {
    const [refund] = (await this.paymentOf(transactionId)).refunds
    if (!refund) return false
    await this.unlessOver(`/sandbox/refunds/${refund.id}/fail`, {})
    return true
  }

  private async paymentOf(
    transactionId: number,
    isWanted = ({ status }: SandboxPayment) => status === 'succeeded',
  ): Promise<SandboxPayment> {
    const payments = (await (await this.must('/sandbox/payments', { method: 'GET' })).json()) as SandboxPayment[]
    const payment = payments.find(
      each => isWanted(each) && Object.values(each.metadata).includes(String(transactionId)),
    )
    if (!payment) throw new Error(`The sandbox has no payment of deal ${transactionId}.`)
    return payment
  }

  /** The token in the newest mail to an address with this subject; null while there is no such mail. */
  async mailedToken(email: string, about: string): Promise<string | null> {
    const response = await this.must(`/sandbox/mails?to=${encodeURIComponent(email)}`, { method: 'GET' })
    const mails = (await response.json()) as { subject: string; text: string }[]
    const mail = mails.find(({ subject }) => subject === about)
    return mail ? (/#([\w-]+)/.exec(mail.text)?.[1] ?? null) : null
  }

  /** Fills in the provider's form for a seller's bank account. */
  async fillInBank(onboardingUrl: string, { firstName, lastName }: Person, number: string): Promise<void> {
    const { pathname } = new URL(onboardingUrl)
    const form = { holder: `${firstName} ${lastName}`, routing: '110000000', number }
    const response = await this.ask(pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    if (response.status !== 303)
      throw new Error(`The sandbox answered ${response.status} to the form of a bank account.`)
  }

  /** Lets the bank take a payout, or return it. Nothing happens when the bank was faster. */
  async endPayout({ amount }: Pick<Payout, 'amount'>, outcome: 'settle' | 'fail'): Promise<void> {
    const payouts = (await (await this.must('/sandbox/payouts', { method: 'GET' })).json()) as {
      id: string
      amount: number
      status: string
    }[]
    const payout = payouts.find(each => each.amount === cents(amount) && each.status === 'in_transit')
    if (!payout) return
    await this.unlessOver(
      `/sandbox/payouts/${payout.id}/${outcome}`,
      outcome === 'fail' ? { code: 'account_closed' } : {},
    )
  }

  /** Ends something. The sandbox answers 409 when it has ended already. */
  private async unlessOver(path: string, body: object): Promise<void> {
    const response = await this.ask(path, jsonPost(body))
    if (!response.ok && response.status !== 409) throw await refused(path, response)
  }

  private async asBrowser(key: string, path: string, form: Record<string, string>): Promise<{ id: string }> {
    const response = await this.must(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    return (await response.json()) as { id: string }
  }

  private async must(path: string, init: RequestInit): Promise<Response> {
    const response = await this.ask(path, init)
    if (!response.ok) throw await refused(path, response)
    return response
  }

  private ask(path: string, init: RequestInit): Promise<Response> {
    return fetch(this.url + path, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  }
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)

const jsonPost = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const refused = async (path: string, response: Response): Promise<Error> =>
  new Error(`The sandbox answered ${response.status} to ${path}: ${await response.text()}`)
