import type { Clock } from '@holdfast/kernel/clocks'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import type { PartyRole } from '@holdfast/kernel/deals'
import { DEAL_STATUSES, MAX_CHANGES_BEFORE_CORRECTION, MAX_RECORDED_DECLINES } from '@holdfast/kernel/deals'
import fc from 'fast-check'
import { account, effectOn } from '../../ledger/domain/journal.js'
import { dueCommand, waitsForCarrier } from './clocks.js'
import { buyerTotalMinor, type Command, type Deal, stateOf } from './deal.js'
import { decide, extendClock } from './decisions.js'
import { cryptoReturned, paymentFailed, strayFunds } from './payments.js'
import { bookProviderRefund } from './provider-refunds.js'
import { COMMAND_TYPES, isAllowed, ROLES, type Role, STATES, type State, transitionOf } from './transitions.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY_MS = REAL_DAY_SECONDS * 1000
const given = (role: Role, now = NOW) => ({ role, now, daySeconds: REAL_DAY_SECONDS, refundId: 'r' })
const FUNDED = ['paid', 'in_progress', 'shipped', 'delivered', 'inspection', 'disputed']

function aDeal(state: State, more: Partial<Deal> = {}): Deal {
  const status = DEAL_STATUSES.find(each => each === state) ?? 'disputed'
  const funded = FUNDED.includes(status)
  const frozen = { status: 'shipped', clock: 'receive_by', remainingMs: 5 * DAY_MS, minimumGiven: false } as const
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
    chargedBackMinor: 0n,
    inspectionDays: 3,
    openedAt: NOW,
    paidAt: funded ? NOW : null,
    settledPaymentId: funded ? 'p' : null,
    trackingNumber: null,
    carrier: null,
    clock: null,
    frozen:
      state === 'overdue'
        ? { ...frozen, remainingMs: 0, disputeId: null, overdue: true }
        : state === 'disputed'
          ? { ...frozen, disputeId: 9 }
          : state === 'charged_back'
            ? { ...frozen, disputeId: null, stoppedByProvider: true, chargebacks: ['du_2'] }
            : state === 'short'
              ? { ...frozen, disputeId: null, stoppedByProvider: true, short: true }
              : null,
    endedDisputes: [],
    sellerAccepted: true,
    ...more,
  }
}

const CHARGEBACK = {
  id: 'du_1',
  paymentId: 'p',
  amountMinor: 10_700n,
  currency: 'USD',
  status: 'open',
  withdrawn: true,
  asOf: NOW,
} as const
const NO_LOSSES = { holdMinor: 0n, sellerMinor: 0n, revenueMinor: 0n, costsMinor: 0n, adjustedMinor: 0n }

const SETTLEMENT = {
  disputeId: 9,
  stoppedAtVersion: null,
  refundMinor: 4_000n,
  heldMinor: null,
  cause: 'settlement',
} as const

function commandOf(type: Command['type']): Command {
  switch (type) {
    case 'recordFunds':
      return { type, paymentId: 'p', method: 'card', amountMinor: 10_700n, currency: 'USD' }
    case 'saveTracking':
      return { type, trackingNumber: 'T1', carrier: 'UPS' }
    case 'secureFunds':
      return { type, paymentId: 'p', method: 'bank', amountMinor: 10_150n }
    case 'returnFunds':
      return { type, method: 'bank' }
    case 'freeze':
      return { type, disputeId: 9, reporter: 'buyer' }
    case 'resume':
      return { type, disputeId: 9 }
    case 'forceRefund':
      return { type, reason: 'You both asked us for it.' }
    case 'settleDispute':
      return { type, ...SETTLEMENT }
    case 'openChargeback':
    case 'winChargeback':
    case 'loseChargeback':
      return { type, chargeback: CHARGEBACK, before: null, losses: NO_LOSSES }
    case 'recordRefund':
      return {
        type,
        refund: { id: 'r', providerRefundId: 're_1', paymentId: 'p', amountMinor: 700n, status: 'confirmed' },
        method: 'card',
        before: null,
      }
    default:
      return { type }
  }
}

const triples = STATES.flatMap(state => ROLES.flatMap(role => COMMAND_TYPES.map(type => ({ state, role, type }))))

describe('a decision', () => {
  it.each(triples)('on $type by the $role while $state follows the table', ({ state, role, type }) => {
    const act = () => decide(aDeal(state), commandOf(type), given(role))
    if (!isAllowed(type, role, state)) return expect(act).toThrow()
    const change = act()
    expect(transitionOf(type).to).toContain(stateOf(change))
    expect(change.timeline.at(-1)?.status).toBe(change.status)
    return undefined
  })

  it('holds the whole quote when the funds arrive, and starts the ship-by clock', () => {
    const change = decide(aDeal('pending'), commandOf('recordFunds'), given('provider'))
    expect(change.effect).toEqual({
      holdMinor: 10_700n,
      releasedMinor: 0n,
      refundedMinor: 0n,
      revenueMinor: 0n,
      chargedBackMinor: 0n,
    })
    expect(change.settles).toEqual({ paymentId: 'p', stray: false })
    expect(change.clock).toEqual({ kind: 'ship_by', dueAt: new Date(NOW.getTime() + 7 * DAY_MS) })
    expect(change.acceptance).toEqual({ party: 'buyer', by: 'paying' })
  })

  it('is not posted on a deal that was stopped again since, nor when more or less is held than when it was decided', () => {
    const { frozen } = aDeal('disputed')
    const stoppedAt = (version: number) => aDeal('disputed', { frozen: { ...frozen!, disputeId: null, version } })
    const settle = (deal: Deal, more: object) =>
      decide(deal, { type: 'settleDispute', ...SETTLEMENT, stoppedAtVersion: 5, ...more }, given('mediation'))
    expect(settle(stoppedAt(5), { heldMinor: 10_000n }).status).toBe('completed')
    expect(() => settle(stoppedAt(8), {})).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(settle(stoppedAt(5), { stoppedAtVersion: null }).status).toBe('completed')
    expect(() => settle(stoppedAt(5), { heldMinor: 7_000n })).toThrow(
      expect.objectContaining({ code: 'AMOUNT_INVALID' }),
    )
  })

  it('extends the clock of a deal by the time in which no replica could act, and changes nothing else', () => {
    const deal = aDeal('inspection', { clock: { kind: 'inspection', dueAt: NOW } })
    const dueAt = new Date(NOW.getTime() + 5_000)
    expect(extendClock(deal, 5_000, NOW)).toEqual({
      status: 'inspection',
      timeline: [{ kind: 'outage', status: 'inspection' }],
      clock: { kind: 'inspection', dueAt },
      clockEntries: [{ clock: 'inspection', change: 'extended', cause: 'outage', dueAt }],
      journal: [],
      effect: { holdMinor: 0n, releasedMinor: 0n, refundedMinor: 0n, revenueMinor: 0n, chargedBackMinor: 0n },
      events: [],
      frozen: deal.frozen,
      notBefore: NOW,
    })
  })

  it('refuses funds of another amount or currency', () => {
    const funds = {
      type: 'recordFunds',
      paymentId: 'p',
      method: 'card',
      amountMinor: 10_699n,
      currency: 'USD',
    } as const
    expect(() => decide(aDeal('pending'), funds, given('provider'))).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
    const euros = { ...funds, amountMinor: 10_700n, currency: 'EUR' }
    expect(() => decide(aDeal('pending'), euros, given('provider'))).toThrow(
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
    const change = decide(aDeal('pending'), funds, given('provider'))
    expect(change.effect.holdMinor).toBe(10_150n)
    expect(change.buyerFees).toMatchObject({ platformFeeMinor: 150n, processingFeeMinor: 0n })
  })

  it('releases the price less the seller’s fee to the seller, and books both fees as revenue', () => {
    const { journal, effect } = decide(aDeal('inspection'), { type: 'accept' }, given('buyer'))
    expect(effect).toEqual({
      holdMinor: -10_700n,
      releasedMinor: 9_850n,
      refundedMinor: 0n,
      revenueMinor: 850n,
      chargedBackMinor: 0n,
    })
    expect(effectOn(account.sellerPayable('s'), journal)).toBe(9_850n)
    expect(effectOn(account.revenue, journal)).toBe(850n)
    expect(effectOn(account.hold(7), journal)).toBe(-10_700n)
  })

  it('completes an as-is deal when the buyer confirms, and leaves the buyer 48 hours when the carrier reports the delivery', () => {
    const asIs = aDeal('shipped', { inspectionDays: 0 })
    const confirmed = decide(asIs, { type: 'confirmDelivery' }, given('buyer'))
    expect(confirmed.timeline.map(fact => fact.status)).toEqual(['delivered', 'released', 'completed'])
    const delivered = decide(asIs, { type: 'recordDelivery' }, given('carrier'))
    expect(delivered.clock).toEqual({ kind: 'inspection', dueAt: new Date(NOW.getTime() + 2 * DAY_MS) })
  })

  it('files a dispute, and never releases, when no delivery was reported in time', () => {
    const overdue = aDeal('shipped', { clock: { kind: 'receive_by', dueAt: NOW } })
    expect(dueCommand(overdue, NOW)).toBe('endReceiveBy')
    const change = decide(overdue, { type: 'endReceiveBy' }, given('clock'))
    expect(change).toMatchObject({ status: 'disputed', effect: { holdMinor: 0n }, journal: [] })
  })

  it('ends the dispute of the system when the item arrives after all, and the inspection begins', () => {
    for (const [type, role] of [
      ['recordDelivery', 'carrier'],
      ['confirmDelivery', 'buyer'],
    ] as const) {
      const change = decide(aDeal('overdue'), { type }, given(role))
      expect(change).toMatchObject({ status: 'inspection', frozen: null, clock: { kind: 'inspection' }, journal: [] })
      expect(change.timeline.map(({ kind, status }) => [kind, status])).toEqual([
        ['endDispute', 'shipped'],
        [type, 'delivered'],
        ['inspect', 'inspection'],
      ])
      expect(change.events.map(({ name }) => name)).toEqual([
        'transactionDisputeEnded',
        'transactionDelivered',
        'transactionInspectionStarted',
      ])
    }
  })

  it('ends the dispute of the system when the seller refunds the buyer in full', () => {
    const change = decide(aDeal('overdue'), { type: 'refund' }, given('seller'))
    expect(change).toMatchObject({ status: 'cancelled', frozen: null, refund: { amountMinor: 10_700n } })
    expect(change.events.map(({ name }) => name)).toEqual([
      'transactionDisputeEnded',
      'transactionRefunded',
      'transactionCancelled',
    ])
  })

  it('waits a day for a carrier that cannot be asked, and then files the dispute', () => {
    const overdue = aDeal('shipped', { clock: { kind: 'receive_by', dueAt: NOW } })
    const after = (ms: number) => given('clock', new Date(NOW.getTime() + ms))
    expect(waitsForCarrier(overdue, after(DAY_MS - 1))).toBe(true)
    expect(waitsForCarrier(overdue, after(DAY_MS))).toBe(false)
  })

  it('refunds the buyer in full when the seller does not ship in time', () => {
    const change = decide(aDeal('paid'), commandOf('endShipBy'), given('clock'))
    expect(change).toMatchObject({ status: 'cancelled', refund: { id: 'r', paymentId: 'p', amountMinor: 10_700n } })
    expect(change.effect).toEqual({
      holdMinor: -10_700n,
      releasedMinor: 0n,
      refundedMinor: 10_700n,
      revenueMinor: 0n,
      chargedBackMinor: 0n,
    })
  })

  it('resumes a deal with the time that was left on its clock, at least a day', () => {
    const left = decide(aDeal('disputed'), { type: 'resume', disputeId: 9 }, given('mediation'))
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
    const short = decide(aDeal('disputed', { frozen }), { type: 'resume', disputeId: 9 }, given('mediation'))
    expect(short.clock?.dueAt).toEqual(new Date(NOW.getTime() + DAY_MS))
  })

  /** A deal that is stopped by a party's dispute and goes on, again and again. Answers how long its clock ran in all, in milliseconds. */
  function stopAgainAndAgain(kind: Clock, filedBy: PartyRole, leftMs: number, stops: readonly Stop[]) {
    let now = NOW
    let ranMs = 0
    const dueAt = new Date(NOW.getTime() + leftMs)
    let deal = aDeal(STATUS_OF[kind], { clock: { kind, dueAt } })
    const running = () => Math.max(0, deal.clock!.dueAt.getTime() - now.getTime())
    for (const { runMs, frozenMs } of stops) {
      const ms = Math.min(runMs, running())
      ranMs += ms
      now = new Date(now.getTime() + ms)
      deal = { ...deal, ...decide(deal, { type: 'freeze', disputeId: 9, reporter: filedBy }, given('mediation', now)) }
      now = new Date(now.getTime() + frozenMs)
      deal = { ...deal, ...decide(deal, { type: 'resume', disputeId: 9 }, given('mediation', now)) }
    }
    return { totalMs: ranMs + running(), dueAt: deal.clock!.dueAt.getTime(), firstDueAt: dueAt.getTime() }
  }
  interface Stop {
    readonly runMs: number
    readonly frozenMs: number
  }
  const STATUS_OF = {
    ship_by: 'paid',
    receive_by: 'shipped',
    inspection: 'inspection',
    payment_window: 'paid',
  } as const
  const days = fc.integer({ min: 0, max: 4 * DAY_MS })
  const stops = fc.array(fc.record({ runMs: days, frozenMs: days }), { minLength: 1, maxLength: 12 })

  it.each([
    ['ship_by', 'buyer'],
    ['inspection', 'seller'],
  ] as const)('extends %s by at most one day, however often the %s disputes and withdraws', (kind, filedBy) => {
    fc.assert(
      fc.property(days, stops, (leftMs, all) => {
        const { totalMs } = stopAgainAndAgain(kind, filedBy, leftMs, all)
        expect(totalMs).toBeGreaterThanOrEqual(leftMs)
        expect(totalMs).toBeLessThanOrEqual(leftMs + DAY_MS)
      }),
    )
  })

  it.each([
    ['ship_by', 'seller'],
    ['receive_by', 'buyer'],
    ['receive_by', 'seller'],
    ['inspection', 'buyer'],
  ] as const)('never moves the end of %s, however often the %s disputes and withdraws', (kind, filedBy) => {
    fc.assert(
      fc.property(days, stops, (leftMs, all) => {
        const { dueAt, firstDueAt } = stopAgainAndAgain(kind, filedBy, leftMs, all)
        expect(dueAt).toBe(firstDueAt)
      }),
    )
  })

  describe('while the seller disputes a deal that they have not shipped', () => {
    const clock = { kind: 'ship_by', dueAt: new Date(NOW.getTime() + 5 * DAY_MS) } as const
    const paid = aDeal('paid', { clock })
    const frozen = {
      ...paid,
      ...decide(paid, { type: 'freeze', disputeId: 9, reporter: 'seller' }, given('mediation')),
    }
    const LATER = new Date(NOW.getTime() + 2 * DAY_MS)

    it('the ship-by clock goes on, and refunds the buyer and ends the dispute', () => {
      expect(frozen).toMatchObject({ status: 'disputed', clock, clockEntries: [] })
      const ended = decide(frozen, commandOf('endShipBy'), given('clock', clock.dueAt))
      expect(ended).toMatchObject({
        status: 'cancelled',
        endedDispute: 9,
        refund: { amountMinor: 10_700n },
        clock: null,
      })
    })

    it('the clock is paused while a bank decides, and goes on with the time that was left', () => {
      const opened = { ...frozen, ...decide(frozen, commandOf('openChargeback'), given('provider', LATER)) }
      expect(opened).toMatchObject({ clock: null, clockEntries: [{ clock: 'ship_by', change: 'paused' }] })
      const won = {
        ...commandOf('winChargeback'),
        before: { status: 'open', withdrawn: true },
      } as Command
      const after = { ...opened, ...decide(opened, won, given('provider', new Date(LATER.getTime() + DAY_MS))) }
      expect(after).toMatchObject({
        status: 'disputed',
        clock: { kind: 'ship_by', dueAt: new Date(clock.dueAt.getTime() + DAY_MS) },
        clockEntries: [{ change: 'resumed' }],
      })
      expect(decide(after, { type: 'resume', disputeId: 9 }, given('mediation', LATER))).toMatchObject({
        status: 'paid',
        clock: after.clock,
        clockEntries: [],
      })
    })

    it('a withdrawal while the bank’s message waits gives no more time than was left', () => {
      const last = { ...paid, clock: { ...clock, dueAt: new Date(NOW.getTime() + 1_000) } }
      const disputed = {
        ...last,
        ...decide(last, { type: 'freeze', disputeId: 9, reporter: 'seller' }, given('mediation')),
      }
      const { clock: after } = decide(disputed, { type: 'resume', disputeId: 9 }, given('mediation', LATER))
      expect(after).toEqual(last.clock)
    })

    it('ends with the rest when a part of the payment is gone', () => {
      const part = { ...frozen, ...decide(frozen, commandOf('recordRefund'), given('provider')) }
      expect(part).toMatchObject({ status: 'disputed', clock })
      const balances = { holdMinor: 10_000n, refundedMinor: 700n }
      expect(decide({ ...part, ...balances }, commandOf('endShipBy'), given('clock', clock.dueAt))).toMatchObject({
        status: 'cancelled',
        refund: { amountMinor: 10_000n },
      })
    })
  })

  it('extends the next clock of the same deal again', () => {
    const { frozen } = decide(
      aDeal('disputed', { frozen: { ...aDeal('disputed').frozen!, remainingMs: 1000 } }),
      { type: 'resume', disputeId: 9 },
      given('mediation'),
    )
    expect(frozen?.minimumGiven).toBe(true)
    expect(decide(aDeal('shipped', { frozen }), commandOf('confirmDelivery'), given('buyer')).frozen).toBeNull()
    expect(decide(aDeal('shipped', { frozen }), commandOf('saveTracking'), given('seller')).frozen).toBe(frozen)
  })

  it('does not resume a deal for another dispute than the one that froze it', () => {
    const act = () => decide(aDeal('disputed'), { type: 'resume', disputeId: 10 }, given('mediation'))
    expect(act).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  })

  it('keeps the clock when a tracking number is corrected', () => {
    const clock = { kind: 'receive_by', dueAt: new Date(NOW.getTime() + DAY_MS) } as const
    const change = decide(aDeal('shipped', { clock }), commandOf('saveTracking'), given('seller'))
    expect(change).toMatchObject({ status: 'shipped', clock, clockEntries: [] })
  })

  it('writes of a correction only what its sender has changed, so that two tabs do not undo each other’s changes', () => {
    const save = (state: 'paid' | 'shipped', more: { changed?: string[] }) => {
      const saved = state === 'shipped' ? { trackingNumber: 'NEW', carrier: 'DHL' } : {}
      const command = { type: 'saveTracking', trackingNumber: 'OLD', carrier: 'UPS', ...more } as const
      return decide(aDeal(state, saved), command, given('seller')).shipment
    }
    expect(save('shipped', { changed: ['carrier'] })).toEqual({ trackingNumber: 'NEW', carrier: 'UPS' })
    expect(save('shipped', { changed: ['trackingNumber'] })).toEqual({ trackingNumber: 'OLD', carrier: 'DHL' })
    const all = { trackingNumber: 'OLD', carrier: 'UPS' }
    expect(save('shipped', {})).toEqual(all)
    expect(save('paid', { changed: ['carrier'] })).toEqual(all)
  })

  it('says in the event whether a tracking number is the first one or a correction', () => {
    const isCorrection = (status: 'paid' | 'shipped') => {
      const [event] = decide(aDeal(status), commandOf('saveTracking'), given('seller')).events
      return event?.name === 'transactionShipped' ? event.facts.isCorrection : null
    }
    expect([isCorrection('paid'), isCorrection('shipped')]).toEqual([false, true])
  })

  it('takes a limited number of corrections, so that a seller cannot fill the timeline and the bell of the buyer', () => {
    const correct = (version: number) =>
      decide(aDeal('shipped', { version }), commandOf('saveTracking'), given('seller'))
    expect(correct(MAX_CHANGES_BEFORE_CORRECTION).status).toBe('shipped')
    expect(() => correct(MAX_CHANGES_BEFORE_CORRECTION + 1)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
    const first = aDeal('paid', { version: MAX_CHANGES_BEFORE_CORRECTION + 1 })
    expect(decide(first, commandOf('saveTracking'), given('seller')).status).toBe('shipped')
  })

  it('records a limited number of declines, so that a buyer cannot fill the timeline and the bell of the seller', () => {
    expect(paymentFailed(aDeal('pending', { version: MAX_RECORDED_DECLINES }))).not.toBeNull()
    expect(paymentFailed(aDeal('pending', { version: MAX_RECORDED_DECLINES + 1 }))).toBeNull()
  })

  it('books a stray payment on its own account, refunds it, and leaves the deal as it is', () => {
    const deal = aDeal('completed')
    const change = strayFunds(deal, { paymentId: 'p', refundId: 'r', amountMinor: 10_700n, method: 'card' })
    expect(change).toMatchObject({ status: 'completed', effect: { holdMinor: 0n }, settles: { stray: true } })
    expect(effectOn(account.unapplied('p'), change.journal)).toBe(10_700n)
    expect(paymentFailed(aDeal('pending'))).toMatchObject({ status: 'pending', journal: [] })
  })

  it.each([
    { what: 'was our cost', origin: 'provider_late', taken: 0n, left: 10_700n, owed: 0n, costs: 4_000n },
    { what: 'had paid ours', origin: 'provider_late', taken: 4_000n, left: 4_000n, owed: 4_000n, costs: 0n },
    {
      what: 'had paid a part of ours',
      origin: 'provider_late',
      taken: 1_500n,
      left: 9_000n,
      owed: 1_500n,
      costs: 2_500n,
    },
    { what: 'a bank has paid as well', origin: 'provider_late', taken: 10_700n, left: 0n, owed: 0n, costs: 4_000n },
    { what: 'had ended the deal', origin: 'provider', taken: 0n, left: 4_000n, owed: 4_000n, costs: 0n },
    { what: 'had ended it, and a bank has paid', origin: 'provider', taken: 0n, left: -100n, owed: 0n, costs: 4_000n },
    {
      what: 'had ended it, and a bank has paid a part',
      origin: 'provider',
      taken: 0n,
      left: 900n,
      owed: 900n,
      costs: 3_100n,
    },
  ] as const)(
    'owes what the buyer has not got of a refund made by hand that failed: it $what',
    ({ origin, owed, costs, taken: takenMinor, left: leftMinor }) => {
      const stored = { id: 'h', providerRefundId: 're_1', paymentId: 'p', amountMinor: 4_000n } as const
      const refund = { ...stored, status: 'failed' } as const
      const command = { type: 'recordRefund', refund, before: { status: 'confirmed', origin }, method: 'card' } as const
      for (const owedOn of [account.refundDue(7), account.unapplied('p')]) {
        const change = bookProviderRefund(aDeal('cancelled'), command, { takenMinor, leftMinor, owedOn })
        expect(change.providerRefund).toMatchObject(
          owed > 0n ? { status: 'failed', amountMinor: owed } : { status: 'void', amountMinor: 4_000n },
        )
        expect(effectOn(account.refundDue(7), change.journal)).toBe(owed)
        expect(effectOn(account.unapplied('p'), change.journal)).toBe(0n)
        expect(effectOn(account.providerCosts, change.journal)).toBe(costs)
        // The parties read only about what is owed of the deal's own payment.
        const isAnnounced = owed > 0n && owedOn === account.refundDue(7)
        expect([change.timeline.length, change.events.length]).toEqual(isAnnounced ? [1, 1] : [0, 0])
        expect(change.journal.every(({ postings }) => postings.length > 0)).toBe(true)
      }
    },
  )

  it('books a payment in cryptocurrency on the account of its processor, and nothing for what the processor returns', () => {
    const crypto = {
      type: 'recordFunds',
      paymentId: 'p',
      method: 'crypto',
      amountMinor: 10_150n,
      currency: 'USD',
    } as const
    const { journal } = decide(aDeal('pending'), crypto, given('provider'))
    expect(effectOn(account.cryptoClearing, journal)).toBe(-10_150n)
    expect(effectOn(account.providerClearing, journal)).toBe(0n)
    expect(cryptoReturned(aDeal('pending'))).toMatchObject({ status: 'pending', journal: [] })
    expect(cryptoReturned(aDeal('pending', { version: MAX_RECORDED_DECLINES + 1 }))).toBeNull()
  })

  it('does not begin the five days again when a network drops a transfer, and leaves a day to pay otherwise', () => {
    const windowOf = (openedDaysAgo: number, version = 3) => {
      const openedAt = new Date(NOW.getTime() - openedDaysAgo * 86_400_000)
      const deal = aDeal('secured', { openedAt, version })
      const { clock } = decide(
        deal,
        { type: 'returnFunds', method: 'crypto' },
        { ...given('provider'), daySeconds: 86_400 },
      )
      return (clock!.dueAt.getTime() - NOW.getTime()) / 86_400_000
    }
    expect([windowOf(1), windowOf(4.5), windowOf(9)]).toEqual([4, 1, 1])
    expect(windowOf(9, MAX_RECORDED_DECLINES + 1)).toBe(0)
  })

  it('gives the command of a clock from its due time on, not before', () => {
    const deal = aDeal('inspection', { clock: { kind: 'inspection', dueAt: NOW } })
    expect(dueCommand(deal, new Date(NOW.getTime() - 1))).toBeNull()
    expect(dueCommand(deal, NOW)).toBe('endInspection')
  })

  it('records which clock stops and which one starts', () => {
    const deal = aDeal('paid', { clock: { kind: 'ship_by', dueAt: NOW } })
    const { clockEntries } = decide(deal, commandOf('saveTracking'), given('seller'))
    expect(clockEntries.map(e => [e.clock, e.change])).toEqual([
      ['ship_by', 'stopped'],
      ['receive_by', 'started'],
    ])
  })

  it('releases exactly what was held, whatever the price and the fees', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(amounts, amounts, fc.nat(10_000), (priceMinor, buyerFeeMinor, part) => {
        const sellerFeeMinor = (priceMinor * BigInt(part)) / 10_000n
        const deal = aDeal('inspection', {
          priceMinor,
          buyerFeeMinor,
          sellerFeeMinor,
          holdMinor: priceMinor + buyerFeeMinor,
        })
        const { journal, effect } = decide(deal, { type: 'accept' }, given('buyer'))
        const out = effectOn(account.sellerPayable('s'), journal) + effectOn(account.revenue, journal)
        expect(out).toBe(buyerTotalMinor(deal))
        expect(effect.holdMinor + effect.releasedMinor + effect.refundedMinor + effect.revenueMinor).toBe(0n)
      }),
    )
  })
})

describe('a deal that its seller has not accepted', () => {
  const refusal = expect.objectContaining({ code: 'SELLER_NOT_ACCEPTED' })
  const named = (state: State) => aDeal(state, { sellerAccepted: false })

  it.each([
    ['confirmDelivery', 'paid', 'buyer'],
    ['accept', 'inspection', 'buyer'],
    ['freeze', 'paid', 'mediation'],
  ] as const)('refuses %s in %s', (type, state, role) => {
    expect(() => decide(named(state), commandOf(type), given(role))).toThrow(refusal)
  })

  it('is accepted by shipping and by handing over, and ended by the ship-by date and by its seller', () => {
    for (const type of ['saveTracking', 'startHandover'] as const)
      expect(decide(named('paid'), commandOf(type), given('seller')).acceptance).toMatchObject({ party: 'seller' })
    expect(decide(named('paid'), commandOf('refund'), given('seller')).status).toBe('cancelled')
    expect(decide(named('paid'), commandOf('endShipBy'), given('clock')).status).toBe('cancelled')
  })

  it('counts for nobody in public when a mediator has paid its seller', () => {
    const completedBy = (deal: Deal) =>
      decide(deal, commandOf('settleDispute'), given('mediation')).events.find(
        ({ name }) => name === 'transactionCompleted',
      )
    expect(completedBy(named('disputed'))).toMatchObject({ facts: { isMutual: false } })
    expect(completedBy(aDeal('disputed'))).toMatchObject({ facts: { isMutual: true } })
  })
})
