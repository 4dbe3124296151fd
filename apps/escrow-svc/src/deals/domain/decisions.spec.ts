import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { DEAL_STATUSES, type DealStatus } from '@holdfast/kernel/deals'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { account, effectOn } from '../../ledger/domain/journal.js'
import { dueCommand } from './clocks.js'
import { buyerTotalMinor, type Command, type Deal } from './deal.js'
import { decide, paymentFailed, strayFunds } from './decisions.js'
import { COMMAND_TYPES, isAllowed, ROLES, type Role, transitionOf } from './transitions.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY_MS = REAL_DAY_SECONDS * 1000
const given = (role: Role, now = NOW) => ({ role, now, daySeconds: REAL_DAY_SECONDS, refundId: 'r' })
const FUNDED = ['paid', 'in_progress', 'shipped', 'delivered', 'inspection', 'disputed']

function deal(status: DealStatus, more: Partial<Deal> = {}): Deal {
  const funded = FUNDED.includes(status)
  return {
    id: 7,
    version: 1,
    status,
    listingId: 3,
    title: 'Camera',
    buyerId: 'b',
    sellerId: 's',
    currency: 'USD',
    priceMinor: 10_000n,
    buyerFeeMinor: 700n,
    sellerFeeMinor: 150n,
    feeSchedule: '2026-11',
    buyerPlan: 'standard',
    sellerPlan: 'standard',
    holdMinor: funded ? 10_700n : 0n,
    releasedMinor: 0n,
    refundedMinor: 0n,
    revenueMinor: 0n,
    inspectionDays: 3,
    paidAt: funded ? NOW : null,
    settledPaymentId: funded ? 'p' : null,
    trackingNumber: null,
    carrier: null,
    clock: null,
    frozen:
      status === 'disputed'
        ? { status: 'shipped', clock: 'receive_by', remainingMs: 5 * DAY_MS, minimumGiven: false, disputeId: 9 }
        : null,
    ...more,
  }
}

function commandOf(type: Command['type']): Command {
  switch (type) {
    case 'recordFunds':
      return { type, paymentId: 'p', method: 'card', amountMinor: 10_700n, currency: 'USD' }
    case 'saveTracking':
      return { type, trackingNumber: 'T1', carrier: 'UPS' }
    case 'freeze':
    case 'resume':
      return { type, disputeId: 9 }
    default:
      return { type }
  }
}

const triples = DEAL_STATUSES.flatMap(status =>
  ROLES.flatMap(role => COMMAND_TYPES.map(type => ({ status, role, type }))),
)

describe('a decision', () => {
  it.each(triples)('on $type by the $role while $status follows the table', ({ status, role, type }) => {
    const act = () => decide(deal(status), commandOf(type), given(role))
    if (!isAllowed(type, role, status)) return expect(act).toThrow()
    const change = act()
    expect(transitionOf(type).to).toContain(change.status)
    expect(change.timeline.at(-1)?.status).toBe(change.status)
    return undefined
  })

  it('holds the whole quote when the funds arrive, and starts the ship-by clock', () => {
    const change = decide(deal('pending'), commandOf('recordFunds'), given('provider'))
    expect(change.effect).toEqual({ holdMinor: 10_700n, releasedMinor: 0n, refundedMinor: 0n, revenueMinor: 0n })
    expect(change.settles).toEqual({ paymentId: 'p', stray: false })
    expect(change.clock).toEqual({ kind: 'ship_by', dueAt: new Date(NOW.getTime() + 7 * DAY_MS) })
    expect(change.acceptance).toEqual({ party: 'buyer', by: 'paying' })
  })

  it('refuses funds of another amount or currency', () => {
    const funds = {
      type: 'recordFunds',
      paymentId: 'p',
      method: 'card',
      amountMinor: 10_699n,
      currency: 'USD',
    } as const
    expect(() => decide(deal('pending'), funds, given('provider'))).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
    const euros = { ...funds, amountMinor: 10_700n, currency: 'EUR' }
    expect(() => decide(deal('pending'), euros, given('provider'))).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
  })

  it('holds the price and 1.5 % when the buyer pays by bank, and keeps that fee with the deal', () => {
    const funds = {
      type: 'recordFunds',
      paymentId: 'p',
      method: 'bank',
      amountMinor: 10_150n,
      currency: 'USD',
    } as const
    const change = decide(deal('pending'), funds, given('provider'))
    expect(change.effect.holdMinor).toBe(10_150n)
    expect(change.buyerFees).toMatchObject({ platformFeeMinor: 150n, processingFeeMinor: 0n })
  })

  it('releases the price less the seller’s fee, and both fees to us', () => {
    const { journal, effect } = decide(deal('inspection'), { type: 'accept' }, given('buyer'))
    expect(effect).toEqual({ holdMinor: -10_700n, releasedMinor: 9_850n, refundedMinor: 0n, revenueMinor: 850n })
    expect(effectOn(account.sellerPayable('s'), journal)).toBe(9_850n)
    expect(effectOn(account.revenue, journal)).toBe(850n)
    expect(effectOn(account.hold(7), journal)).toBe(-10_700n)
  })

  it('completes an as-is deal at the buyer’s word, and leaves 48 hours after a carrier’s', () => {
    const asIs = deal('shipped', { inspectionDays: 0 })
    const confirmed = decide(asIs, { type: 'confirmDelivery' }, given('buyer'))
    expect(confirmed.timeline.map(fact => fact.status)).toEqual(['delivered', 'released', 'completed'])
    const delivered = decide(asIs, { type: 'recordDelivery' }, given('carrier'))
    expect(delivered.clock).toEqual({ kind: 'inspection', dueAt: new Date(NOW.getTime() + 2 * DAY_MS) })
  })

  it('never releases on silence without delivery', () => {
    const overdue = deal('shipped', { clock: { kind: 'receive_by', dueAt: NOW } })
    expect(dueCommand(overdue, NOW)).toBe('endReceiveBy')
    const change = decide(overdue, { type: 'endReceiveBy' }, given('clock'))
    expect(change).toMatchObject({ status: 'disputed', effect: { holdMinor: 0n }, journal: [] })
  })

  it('gives everything back when nobody ships', () => {
    const change = decide(deal('paid'), commandOf('endShipBy'), given('clock'))
    expect(change).toMatchObject({ status: 'cancelled', refund: { id: 'r', paymentId: 'p', amountMinor: 10_700n } })
    expect(change.effect).toEqual({ holdMinor: -10_700n, releasedMinor: 0n, refundedMinor: 10_700n, revenueMinor: 0n })
  })

  it('takes a withdrawn deal up with the time that was left, at least a day', () => {
    const left = decide(deal('disputed'), { type: 'resume', disputeId: 9 }, given('mediation'))
    expect(left).toMatchObject({
      status: 'shipped',
      clock: { kind: 'receive_by', dueAt: new Date(NOW.getTime() + 5 * DAY_MS) },
    })
    const frozen = {
      status: 'inspection',
      clock: 'inspection',
      remainingMs: 1000,
      minimumGiven: false,
      disputeId: 9,
    } as const
    const short = decide(deal('disputed', { frozen }), { type: 'resume', disputeId: 9 }, given('mediation'))
    expect(short.clock?.dueAt).toEqual(new Date(NOW.getTime() + DAY_MS))
  })

  it('lets no clock run longer than it had and that day, however often it is stopped', () => {
    const days = fc.integer({ min: 0, max: 4 * DAY_MS })
    const stops = fc.array(fc.record({ runMs: days, frozenMs: days }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(days, stops, (leftMs, all) => {
        let now = NOW
        let ranMs = 0
        let t = deal('inspection', { clock: { kind: 'inspection', dueAt: new Date(NOW.getTime() + leftMs) } })
        const running = () => t.clock!.dueAt.getTime() - now.getTime()
        for (const { runMs, frozenMs } of all) {
          const ms = Math.min(runMs, running())
          ranMs += ms
          now = new Date(now.getTime() + ms)
          t = { ...t, ...decide(t, { type: 'freeze', disputeId: 9 }, given('mediation', now)) }
          now = new Date(now.getTime() + frozenMs)
          t = { ...t, ...decide(t, { type: 'resume', disputeId: 9 }, given('mediation', now)) }
        }
        expect(ranMs + running()).toBeGreaterThanOrEqual(leftMs)
        expect(ranMs + running()).toBeLessThanOrEqual(leftMs + DAY_MS)
      }),
    )
  })

  it('gives the next clock of a deal its own day', () => {
    const { frozen } = decide(
      deal('disputed', { frozen: { ...deal('disputed').frozen!, remainingMs: 1000 } }),
      { type: 'resume', disputeId: 9 },
      given('mediation'),
    )
    expect(frozen?.minimumGiven).toBe(true)
    expect(decide(deal('shipped', { frozen }), commandOf('confirmDelivery'), given('buyer')).frozen).toBeNull()
    expect(decide(deal('shipped', { frozen }), commandOf('saveTracking'), given('seller')).frozen).toBe(frozen)
  })

  it('does not take a deal up for another dispute', () => {
    const act = () => decide(deal('disputed'), { type: 'resume', disputeId: 10 }, given('mediation'))
    expect(act).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  })

  it('corrects a tracking number without touching the clock', () => {
    const clock = { kind: 'receive_by', dueAt: new Date(NOW.getTime() + DAY_MS) } as const
    const change = decide(deal('shipped', { clock }), commandOf('saveTracking'), given('seller'))
    expect(change).toMatchObject({ status: 'shipped', clock, clockEntries: [] })
  })

  it('keeps stray money apart and sends it back, and leaves the deal as it is', () => {
    const t = deal('completed')
    const change = strayFunds(t, { paymentId: 'p', refundId: 'r', amountMinor: 10_700n })
    expect(change).toMatchObject({ status: 'completed', effect: { holdMinor: 0n }, settles: { stray: true } })
    expect(effectOn(account.unapplied('p'), change.journal)).toBe(10_700n)
    expect(paymentFailed(deal('pending'))).toMatchObject({ status: 'pending', journal: [] })
  })

  it('moves no clock early', () => {
    const t = deal('inspection', { clock: { kind: 'inspection', dueAt: NOW } })
    expect(dueCommand(t, new Date(NOW.getTime() - 1))).toBeNull()
    expect(dueCommand(t, NOW)).toBe('endInspection')
  })

  it('stops or starts exactly the clocks it says', () => {
    const t = deal('paid', { clock: { kind: 'ship_by', dueAt: NOW } })
    const { clockEntries } = decide(t, commandOf('saveTracking'), given('seller'))
    expect(clockEntries.map(e => [e.clock, e.change])).toEqual([
      ['ship_by', 'stopped'],
      ['receive_by', 'started'],
    ])
  })

  it('neither makes nor loses a cent, whatever the price and the fees', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(amounts, amounts, fc.nat(10_000), (priceMinor, buyerFeeMinor, part) => {
        const sellerFeeMinor = (priceMinor * BigInt(part)) / 10_000n
        const t = deal('inspection', {
          priceMinor,
          buyerFeeMinor,
          sellerFeeMinor,
          holdMinor: priceMinor + buyerFeeMinor,
        })
        const { journal, effect } = decide(t, { type: 'accept' }, given('buyer'))
        const out = effectOn(account.sellerPayable('s'), journal) + effectOn(account.revenue, journal)
        expect(out).toBe(buyerTotalMinor(t))
        expect(effect.holdMinor + effect.releasedMinor + effect.refundedMinor + effect.revenueMinor).toBe(0n)
      }),
    )
  })
})
