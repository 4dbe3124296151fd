/** What the screens of several roles share. */

/** The answer of a failing server to every call with a matching address. */
export const failing = to => ({
  to,
  status: 500,
  json: { code: 'INTERNAL', message: 'Something went wrong on our side.' },
})

/** The deal whose item did not arrive in time. Its date takes 14 days at least, so the server's answer is changed. */
export const overdue = action => ({
  to: /\/api\/transactions\/\d+$/,
  change: shown => ({ ...shown, status: 'disputed', actions: [action], clock: null, turn: null }),
})

/** The deal whose payment the buyer's bank disputes after the release. */
export const chargedBack = {
  to: /\/api\/transactions\/\d+$/,
  change: shown => ({
    ...shown,
    chargeback: {
      status: 'open',
      amount: shown.money.buyerTotal,
      fromSeller: shown.money.released,
      since: '2026-11-20T10:00:00.000Z',
    },
  }),
}

/** Conversations with unread messages. What this reader has looked at is read, so the server's answer is changed. */
export const UNREAD = {
  to: /\/api\/conversations/,
  status: 200,
  json: [
    {
      transactionId: 900_001,
      title: 'Marine chronometer with its gimballed mahogany box and key',
      other: {
        id: '01890000-0000-7000-8000-000000000001',
        ...{ firstName: 'Sebastian', lastName: 'Oyelaran', username: 'sebastian', isVerified: true, rating: null },
        profileImageUrl: null,
      },
      lastMessage: {
        senderId: '01890000-0000-7000-8000-000000000001',
        content: 'Shall I send it on Friday, or do you want to fetch it yourself?',
        images: 0,
        createdAt: '2026-11-20T10:00:00.000Z',
      },
      unread: 3,
      position: 1,
    },
  ],
}

/** The plan of a user with Premium, in one of its states. */
export const plan = changes => ({
  to: /\/api\/subscription$/,
  status: 200,
  json: {
    ...{ plan: 'premium', status: 'active', interval: 'month', amount: '30.00', currency: 'USD' },
    ...{ periodEndsAt: '2026-12-20T10:00:00.000Z', cancelsAtPeriodEnd: false, premiumUntil: null },
    moneyBack: null,
    cardLabel: 'American Express ending in 0005',
    ...changes,
  },
})

/** Saved cards, the longest name first. */
export const CARDS = {
  to: /\/api\/payment-methods$/,
  status: 200,
  json: [
    { id: 'pm_1', brand: 'American Express', last4: '0005', expMonth: 1, expYear: 2031, isDefault: true },
    { id: 'pm_2', brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2034, isDefault: false },
  ],
}

/** The balance of a seller after two chargebacks, below zero. */
export const BELOW_ZERO = {
  to: /\/api\/payouts$/,
  change: shown => ({
    ...shown,
    available: '-118.20',
    chargebacks: [
      {
        // Later than every real one: of links to transactions the one to the oldest is followed.
        transactionId: 900_001,
        title: 'Marine chronometer with its gimballed mahogany box and key',
        status: 'open',
        amount: '4728.00',
        since: '2026-11-21T10:00:00.000Z',
      },
      {
        transactionId: 900_002,
        title: 'Brass sextant in its box',
        status: 'lost',
        amount: '118.20',
        since: '2026-11-20T10:00:00.000Z',
      },
    ],
  }),
}

/** The receipt of a payout. Only an operator can verify a seller, so the server's answer is replaced. */
export const PAYOUT_RECEIPT = {
  to: /\/api\/payouts\/[0-9a-f-]+$/,
  status: 200,
  json: {
    id: '01890000-0000-7000-8000-000000000001',
    number: 'P-000000000001',
    ...{ amount: '5128.00', currency: 'USD', status: 'paid', bankLabel: 'Test Bank ending in 6789', failure: null },
    createdAt: '2026-11-20T10:00:00.000Z',
    arrivedAt: '2026-11-21T10:00:00.000Z',
    deals: [
      {
        transactionId: 900_001,
        title: 'Marine chronometer with its gimballed mahogany box and key',
        amount: '4728.00',
      },
      { transactionId: 900_000, title: 'Brass sextant in its box', amount: '-118.20' },
    ],
    ...{ dealCount: 5, otherDeals: '513.20', corrections: '5.00' },
  },
}

/** The page of the deal that has this status. */
export const deal = status => deals => `/transaction/${deals[status].id}`

/** What the page of a deal shows once its ledger is there, without and with a payment. */
export const UNPAID = 'Nothing has been paid yet, so no money has moved.'
export const LEDGER = 'The sum, as paid'
/** What the page of a deal shows that a party disputes, and of one whose item did not arrive in time. */
export const STOPPED = /^A dispute has stopped this transaction\./
export const OVERDUE = 'On hold: the item did not arrive in time'
/** What the page of disputes shows when there is none. */
export const NO_DISPUTES = 'If a deal goes wrong, file one here before you accept the item.'

/** The page of the case of the disputed deal. */
export const disputeCase = deals => `/disputes/${deals.disputed.disputeId}`

const LATER = '2099-11-25T14:00:00.000Z'

/** The case in another state. It takes a mediator or many days to get there, so the server's answer is changed. */
export const inState = state => ({
  to: /\/api\/disputes\/\d+$/,
  change: shown => ({ ...shown, ...state }),
})

/** The state after a partial refund was ruled. */
export const RULED = inState({
  status: 'resolved',
  turn: 'both',
  actions: ['appeal', 'waiveAppeal', 'propose'],
  clocks: [{ kind: 'appeal', turn: 'both', dueAt: LATER, isEscalated: false }],
  proposals: [],
  rulings: [
    {
      outcome: 'partial_refund',
      refundAmount: '40.00',
      resolution: 'The glass can be replaced.',
      at: '2026-11-20T10:00:00.000Z',
      isOnAppeal: false,
      isFinal: false,
      waivedBy: ['seller'],
    },
  ],
})

/** Another mediator, who has taken the case. */
const OTHER_MEDIATOR = {
  takenBy: 'other',
  mediatorId: '01890000-0000-7000-8000-000000000009',
  mediator: {
    id: '01890000-0000-7000-8000-000000000009',
    ...{ firstName: 'Noor', lastName: 'Haddad', username: 'noor', isVerified: false, rating: null },
    profileImageUrl: null,
  },
}
const RULING_CLOCK = {
  ...{ status: 'investigating', turn: 'mediator' },
  clocks: [{ kind: 'ruling', turn: 'mediator', dueAt: LATER, isEscalated: false }],
}

/** The state in which another mediator has the case. */
export const TAKEN = inState({ ...RULING_CLOCK, ...OTHER_MEDIATOR, actions: ['investigate'] })

/** The state in which a ruling waits for a second admin: the reader's own, or one of another mediator. */
export const asked = askedBy => ({
  to: /\/api\/disputes\/\d+$/,
  change: shown => ({
    ...shown,
    ...RULING_CLOCK,
    ...(askedBy === 'other'
      ? { ...OTHER_MEDIATOR, actions: ['investigate', 'decideRuling'] }
      : { takenBy: 'reader', actions: ['investigate', 'rule', 'decideRuling'] }),
    settlement: { ...shown.settlement, needsSecondAdmin: true },
    rulingRequest: {
      ...{ id: '01890000-0000-7000-8000-000000000002', outcome: 'full_refund', refundAmount: '120.00', askedBy },
      ...{ resolution: 'The glass is broken.', askedAt: '2026-11-20T10:00:00.000Z', expiresAt: LATER },
    },
  }),
})

/** The state in which the deal holds so much that a second admin must approve the ruling. */
export const ABOVE_THE_LIMIT = {
  to: /\/api\/disputes\/\d+$/,
  change: shown => ({
    ...shown,
    ...RULING_CLOCK,
    ...{ takenBy: 'reader', actions: ['investigate', 'rule'] },
    settlement: { ...shown.settlement, needsSecondAdmin: true },
  }),
}

/** The state in which the seller checks what came back. */
export const RETURNED = inState({
  status: 'resolved',
  turn: 'seller',
  actions: ['confirmReturn', 'contestReturn'],
  clocks: [{ kind: 'return_check', turn: 'seller', dueAt: LATER, isEscalated: false }],
  proposals: [],
  return: {
    trackingNumber: 'HF0000000000',
    carrier: 'UPS',
    shippedAt: '2026-11-20T10:00:00.000Z',
    deliveredAt: '2026-11-21T10:00:00.000Z',
    contest: null,
  },
})

/** The state in which a mediator is late with the ruling. */
export const TO_RULE = inState({
  status: 'investigating',
  turn: 'mediator',
  actions: ['investigate', 'rule'],
  clocks: [{ kind: 'ruling', turn: 'mediator', dueAt: '2026-11-20T10:00:00.000Z', isEscalated: true }],
})
