import { newId } from '@holdfast/kernel/ids'
import { finishPayout } from '@holdfast/sandbox/connect/payouts'
import { NO_CALL } from '@holdfast/sandbox/context'
import { sentTwice } from '@holdfast/testing/sent-twice'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../test/running-escrow.js'
import { CLOSED_BANK, GOOD_BANK, SellerPayouts } from '../test/seller-payouts.js'

type Body = object & { code?: string }
interface Prepared {
  readonly send: (key: string) => Promise<{ status: number; body: Body }>
  /** How often the request was carried out. */
  readonly times: () => Promise<number>
}

describe('a request that is sent again while its first replica hangs in the middle of its dbTx', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const count = async (rows: string, ...values: unknown[]) =>
    (await escrow.row<{ n: number }>(`SELECT count(*)::int AS n FROM escrow.${rows}`, values)).n

  /** An act of an operator. */
  function act(path: string, body: object, subject: string): Prepared {
    const actor = { ...userActor(), role: 'admin' as const }
    const sent = { actor, body: { reason: 'The seller asked us to', ...body } }
    return {
      send: key => escrow.request<Body>('POST', path, { ...sent, headers: { 'idempotency-key': key } }),
      times: () => count('admin_act WHERE actor_id = $1 AND subject LIKE $2', actor.id, subject),
    }
  }
  const refund = (id: number, subject: string) =>
    act(`/api/admin/transactions/${id}/refund`, { reasonForParties: 'You both asked us for it' }, subject)

  function opening(isOffer: boolean): Prepared {
    const [buyer, seller] = [userActor(), userActor()]
    const terms = escrow.terms(seller)
    const { listingId, price: amount } = terms
    const body = isOffer
      ? {
          terms: { ...terms, deal: { buyerId: buyer.id, sellerId: seller.id, openedBy: seller.id } },
          buyerId: buyer.id,
          purchase: null,
        }
      : { terms, buyerId: buyer.id, purchase: { listingId, buyerId: buyer.id, amount } }
    return {
      send: key =>
        escrow.request<Body>('POST', '/internal/transactions', {
          ...{ actor: isOffer ? seller : buyer, body, headers: { 'idempotency-key': key } },
        }),
      times: () => count('transaction WHERE listing_id = $1', listingId),
    }
  }

  const requests: Record<string, () => Promise<Prepared>> = {
    'a purchase': async () => opening(false),
    'an offer': async () => opening(true),
    'a payout': async () => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      return {
        send: key => payouts.requestOnce(seller, key),
        times: () => count('payout WHERE seller_id = $1', seller.id),
      }
    },
    'a refund by an operator': async () => {
      const { id } = await escrow.paid()
      return refund(id, `transaction:${id}`)
    },
    'a refund for which an operator asks': async () => {
      const { id } = await escrow.paid({ price: '900.00' })
      return refund(id, 'approval:%')
    },
    'an adjustment': async () => {
      const body = { debit: 'revenue', credit: 'provider_costs', amount: '1.00', currency: 'USD' }
      return act('/api/admin/ledger/adjustments', body, 'account:revenue')
    },
    'a payout that is sent again': async () => {
      const seller = await payouts.seller(CLOSED_BANK)
      await payouts.sell(seller)
      const { id } = (await payouts.request(seller)).body
      await payouts.reach(id, 'in_transit')
      const { provider_payout_id: provider } = await payouts.row(id)
      finishPayout(escrow.sandbox.context, NO_CALL, escrow.sandbox.context.state.payouts.get(provider)!)
      await payouts.sendEvents('payout.')
      await payouts.reach(id, 'returned')
      await payouts.addBank(seller, GOOD_BANK)
      return act(`/api/admin/payouts/${id}/send-again`, {}, `payout:${id}`)
    },
  }

  it.each(Object.keys(requests))('gets the answer of the first one when that goes on: %s', async name => {
    const { send, times } = await requests[name]!()
    const key = newId()
    const [first, second] = await sentTwice(escrow.database.admin, 'escrow', 'goes on', () => send(key))
    expect([200, 201]).toContain(first.status)
    expect(second.status).toBe(first.status)
    expect(second.body).toEqual(first.body)
    expect(await times()).toBe(1)
    expect(await escrow.violations()).toEqual([])
  })

  it.each(Object.keys(requests))('is carried out when the session of the first one is ended: %s', async name => {
    const { send, times } = await requests[name]!()
    const key = newId()
    const [first, second] = await sentTwice(escrow.database.admin, 'escrow', 'is ended', () => send(key))
    expect([first.status, first.body.code]).toEqual([503, 'UNAVAILABLE'])
    expect([200, 201]).toContain(second.status)
    expect(await times()).toBe(1)
    expect(await escrow.violations()).toEqual([])
  })
})
