import type {
  Dispute,
  DisputeCase,
  DisputeFile,
  Evidence,
  ListedDispute,
  Proposal,
  Ruling,
} from '@holdfast/contracts/disputes'
import type { DisputeClock, DisputeTurn } from '@holdfast/kernel/disputes'
import { uuid } from './ids.js'
import { ana, publicBen } from './people.js'
import { transaction } from './transactions.js'

/** Ben has filed dispute 5 on deal 1, and it is open. */
export const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  id: 5,
  transactionId: 1,
  buyerId: publicBen.id,
  sellerId: ana.id,
  reporterId: publicBen.id,
  reason: 'other',
  description: 'The chair is broken.',
  status: 'open',
  adminNotes: null,
  resolution: null,
  createdAt: '2026-11-29T10:00:00.000Z',
  ...change,
})

/** Long after any test runs, so that no time limit has passed. */
export const DUE_AT = '2099-11-25T14:00:00.000Z'

/** The same in Ben’s list: Ana is to answer. */
export const listed = (change: Partial<ListedDispute> = {}): ListedDispute => ({
  ...dispute(),
  turn: 'seller',
  proposedTo: null,
  dueAt: DUE_AT,
  clocks: [clock('first_look', 'mediator'), clock('response', 'seller'), clock('ruling', 'mediator')],
  ...change,
})

/** A time limit that runs. */
export const clock = (kind: DisputeClock, turn: DisputeTurn, change: Partial<DisputeCase['clocks'][number]> = {}) => ({
  kind,
  turn,
  dueAt: DUE_AT,
  isEscalated: false,
  ...change,
})

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** Ben’s first entry, with one picture. */
export const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  n: 1,
  authorId: publicBen.id,
  role: 'buyer',
  note: 'One leg is broken.',
  images: [{ url: '/api/disputes/5/evidence/1/images/0', sha256: HASH }],
  at: '2026-11-29T11:00:00.000Z',
  sha256: HASH,
  previousSha256: null,
  ...change,
})

/** Ana offers $30.00 back. */
export const proposal = (change: Partial<Proposal> = {}): Proposal => ({
  id: uuid(301),
  role: 'seller',
  refundAmount: '30.00',
  state: 'open',
  at: '2026-11-29T12:00:00.000Z',
  ...change,
})

/** A mediator gives Ben $40.00 back. */
export const ruling = (change: Partial<Ruling> = {}): Ruling => ({
  outcome: 'partial_refund',
  refundAmount: '40.00',
  resolution: 'The chair can be repaired. The repair costs $40.00.',
  at: '2026-12-02T10:00:00.000Z',
  isOnAppeal: false,
  isFinal: false,
  waivedBy: [],
  ...change,
})

/** The case of dispute 5 as Ben, the buyer, sees it: Ana has not answered yet. $107.00 is held of a deal for $100.00. */
export const disputeCase = (change: Partial<DisputeCase> = {}): DisputeCase => ({
  ...dispute(),
  currency: 'USD',
  title: 'Oak chair',
  amount: '100.00',
  viewerRole: 'buyer',
  turn: 'seller',
  actions: ['addEvidence', 'withdraw', 'propose'],
  clocks: [clock('first_look', 'mediator'), clock('response', 'seller'), clock('ruling', 'mediator')],
  evidence: [],
  proposals: [],
  rulingRequest: null,
  rulings: [],
  appeal: null,
  return: null,
  proposedOutcome: null,
  takenBy: null,
  mediatorId: null,
  mediator: null,
  endedBy: null,
  history: [{ id: uuid(401), step: 'filed', by: 'buyer', text: 'A dispute was filed', at: '2026-11-29T10:00:00.000Z' }],
  settlement: {
    currency: 'USD',
    held: '107.00',
    refunded: '0.00',
    chargedBack: '0.00',
    buyerFee: '7.00',
    feeSchedule: '2026-11',
    sellerPlan: 'standard',
    status: 'disputed',
    waitsForBank: false,
    needsSecondAdmin: false,
    partIsGone: false,
    parcelMoved: true,
  },
  buyer: publicBen,
  seller: ana,
  ...change,
})

/** What a mediator reads of deal 1: Ben paid, Ana shipped, and they wrote to each other. */
export const disputeFile = (): DisputeFile => ({
  dispute: disputeCase({ viewerRole: 'mediator' }),
  transaction: {
    id: 1,
    buyerId: publicBen.id,
    sellerId: ana.id,
    status: 'disputed',
    listing: transaction().listing,
    termsText: '{}',
    termsVersion: '1',
    termsHash: HASH,
    acceptances: [
      { party: 'seller', by: 'signing', termsHash: HASH, at: '2026-11-28T09:00:00.000Z' },
      { party: 'buyer', by: 'paying', termsHash: HASH, at: '2026-11-28T10:00:00.000Z' },
      { party: 'seller', by: 'shipping', termsHash: HASH, at: '2026-11-28T11:00:00.000Z' },
    ],
    parcel: null,
    timeline: [],
    ledger: [],
  },
  messages: [
    {
      id: uuid(501),
      transactionId: 1,
      senderId: ana.id,
      content: 'The leg was glued once.',
      images: [],
      isSystem: false,
      createdAt: '2026-11-28T12:00:00.000Z',
    },
  ],
})
