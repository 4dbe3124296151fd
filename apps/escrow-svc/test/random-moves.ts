import fc from 'fast-check'
import type { Move, Who } from './deal-moves.js'

/** The provider seldom has more events than this about the refunds and chargebacks of one deal. */
const MAX_MESSAGES = 7

const PAID: readonly Move[] = [
  { move: 'pay', who: 'buyer', key: 'first' },
  { move: 'payAtProvider', good: true },
  { move: 'webhookSucceeded' },
]

/** A dispute has ended. Calls that freeze the deal for it may still arrive. */
export const DISPUTE_ENDED: readonly Move[] = [
  ...PAID,
  { move: 'saveTracking', who: 'seller', key: null },
  { move: 'freeze', who: 'buyer', dispute: 1 },
  { move: 'resume', dispute: 1 },
]

/** The parties have settled their dispute: the seller has a part of the money. */
export const SETTLED: readonly Move[] = [
  ...PAID,
  { move: 'freeze', who: 'buyer', dispute: 2 },
  { move: 'settle', dispute: 2, back: 'ten cents' },
]

/** The seller disputes a deal that they have not shipped. Its ship-by clock goes on. */
export const OWN_DISPUTE: readonly Move[] = [...PAID, { move: 'freeze', who: 'seller', dispute: 1 }]

/** Moves that bring a deal to some state, before the random moves. */
const BEGINNINGS: readonly (readonly Move[])[] = [
  [],
  [{ move: 'pay', who: 'buyer', key: 'first' }],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'payAtProvider', good: true },
  ],
  PAID,
  [...PAID, { move: 'saveTracking', who: 'seller', key: null }],
  [...PAID, { move: 'confirmDelivery', who: 'buyer', key: null }],
  DISPUTE_ENDED,
  // The seller has paid out their balance.
  [
    ...PAID,
    { move: 'confirmDelivery', who: 'buyer', key: null },
    { move: 'passDeadline' },
    { move: 'payOut', key: 'o1' },
    { move: 'sendPayouts' },
  ],
  // A party's dispute stops the deal.
  [...PAID, { move: 'saveTracking', who: 'seller', key: null }, { move: 'freeze', who: 'buyer', dispute: 2 }],
  SETTLED,
  OWN_DISPUTE,
  // The provider has refunded a part, or a bank has disputed the payment, and the escrow does not know it yet.
  [...PAID, { move: 'confirmDelivery', who: 'buyer', key: null }, { move: 'refundByHand', part: true }],
  [...PAID, { move: 'saveTracking', who: 'seller', key: null }, { move: 'openChargeback' }],
  // The deal is stopped, and the message that lets it go on is under way.
  [
    ...PAID,
    { move: 'saveTracking', who: 'seller', key: null },
    { move: 'refundByHand', part: true },
    { move: 'sendMessage', nth: 0, copy: false },
    { move: 'endRefund', outcome: 'fail' },
  ],
  [
    ...PAID,
    { move: 'confirmDelivery', who: 'buyer', key: null },
    { move: 'openChargeback' },
    { move: 'sendMessage', nth: 0, copy: false },
    { move: 'closeChargeback', outcome: 'won' },
  ],
]

/** A bank decides against a deal that holds the money, or that has ended, and then for it. Only the first decision is known. */
export const DECIDED_AGAIN: readonly (readonly Move[])[] = [[], [{ move: 'passDeadline' } as const]].map(end => [
  ...PAID,
  { move: 'confirmDelivery', who: 'buyer', key: null },
  ...end,
  { move: 'openChargeback' },
  { move: 'sendMessage', nth: 0, copy: false },
  { move: 'closeChargeback', outcome: 'lost' },
  { move: 'sendMessage', nth: 2, copy: false },
  { move: 'decideAgain' },
])

/** The provider has refunded a part by hand, so it does not take ours until ours is reduced. Then the first one fails, which is not known. */
export const LATE_REFUND_FAILS: readonly Move[] = [
  ...PAID,
  { move: 'refundByHand', part: true },
  { move: 'refund', who: 'seller', key: null },
  { move: 'sendMessage', nth: 0, copy: false },
  { move: 'endRefund', outcome: 'fail' },
]

/** A buyer who has named a seller does everything alone: it has no effect, and the ship-by date gives the money back. */
export const SELLER_DOES_NOTHING: readonly Move[] = [
  ...PAID,
  { move: 'confirmDelivery', who: 'buyer', key: 'alone' },
  { move: 'accept', who: 'buyer', key: null },
  { move: 'freeze', who: 'buyer', dispute: 1 },
  { move: 'passDeadline' },
]

/** The named seller accepts by handing over. Then the same key works, with which the buyer was refused before. */
export const SELLER_ACCEPTS: readonly Move[] = [
  ...PAID,
  { move: 'confirmDelivery', who: 'buyer', key: 'again' },
  { move: 'handover', who: 'seller' },
  { move: 'confirmDelivery', who: 'buyer', key: 'again' },
  { move: 'accept', who: 'buyer', key: null },
]

const key = fc.constantFrom(null, 'k1', 'k2')
/** Mostly the party who may give the command. */
const mostly = (who: Who): fc.Arbitrary<Who> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(who) }, fc.constantFrom<Who>('buyer', 'seller', 'stranger'))
const commandBy = (
  move: 'cancel' | 'accept' | 'confirmDelivery' | 'saveTracking' | 'refund',
  who: Who,
): fc.Arbitrary<Move> => fc.record({ move: fc.constant(move), who: mostly(who), key })
/** A few, so that calls for one dispute are repeated, come in another order, and come after its end. */
const dispute = fc.constantFrom(1, 2, 3)

const mostlyTrue = fc.constantFrom(true, true, false)

/** Any move, at any time. Most are made by the party who may give the command. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ move: fc.constant('pay'), who: mostly('buyer'), key: fc.constantFrom('p1', 'p2') }),
  },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('payAtProvider'), good: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant<Move>({ move: 'webhookSucceeded' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'webhookDeclined' }) },
  { weight: 1, arbitrary: commandBy('cancel', 'buyer') },
  { weight: 1, arbitrary: commandBy('cancel', 'seller') },
  { weight: 3, arbitrary: commandBy('saveTracking', 'seller') },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('handover'), who: mostly('seller') }) },
  { weight: 3, arbitrary: commandBy('confirmDelivery', 'buyer') },
  { weight: 3, arbitrary: commandBy('accept', 'buyer') },
  { weight: 2, arbitrary: commandBy('refund', 'seller') },
  { weight: 2, arbitrary: fc.constant<Move>({ move: 'passDeadline' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'fireTimers' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'webhookDelivered' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      move: fc.constant('freeze'),
      who: fc.constantFrom('buyer', 'seller', 'seller', 'stranger'),
      dispute,
    }),
  },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('resume'), dispute }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'forceRefund' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      move: fc.constant('settle'),
      dispute,
      back: fc.constantFrom('nothing', 'ten cents', 'all'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('refundByHand'), part: mostlyTrue }) },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('endRefund'), outcome: fc.constantFrom('settle', 'fail') }) },
  { weight: 2, arbitrary: fc.constant<Move>({ move: 'openChargeback' }) },
  {
    weight: 2,
    arbitrary: fc.record({ move: fc.constant('closeChargeback'), outcome: fc.constantFrom('won', 'lost') }),
  },
  { weight: 2, arbitrary: fc.constant<Move>({ move: 'decideAgain' }) },
  {
    weight: 8,
    arbitrary: fc.record({ move: fc.constant('sendMessage'), nth: fc.nat(MAX_MESSAGES), copy: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('sendInquiry'), closed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'sendForeign' }) },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('payOut'), key: fc.constantFrom('o1', 'o2', 'o3') }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'sendPayouts' }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('endPayout'), outcome: fc.constantFrom('settle', 'fail') }) },
  {
    weight: 1,
    arbitrary: fc.record({ move: fc.constant('sendPayoutMessage'), nth: fc.nat(3), copy: fc.boolean() }),
  },
)

/** A deal, and the moves that bring it to some state before the random moves. */
export const anyDeal = fc.record({
  asIs: fc.boolean(),
  isSigned: mostlyTrue,
  price: fc.constantFrom('100.00', '0.50', '33.33', '12345.67'),
  // Refunds to the second card take some time.
  card: fc.constantFrom('pm_card_visa', 'pm_card_pendingRefund'),
  beginning: fc.constantFrom(...BEGINNINGS, ...DECIDED_AGAIN, LATE_REFUND_FAILS),
})
