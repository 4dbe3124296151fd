import type { DisputeCase } from '@holdfast/contracts/disputes'
import { clock, dispute, disputeCase, proposal, ruling } from '../../../../test/disputes.js'
import { uuid } from '../../../../test/ids.js'
import { nextStep } from './next-step.view.js'

const AT = 'Wed, Nov 25, 2:00 PM'
const step = (change: Partial<DisputeCase>) => nextStep(disputeCase(change), { timeZone: 'UTC' })
const turnOf = (change: Partial<DisputeCase>) => step(change).turn

describe('while the other side may answer', () => {
  test('it is their turn, and the case goes on without them', () => {
    expect(step({})).toMatchObject({
      waitsFor: 'other',
      turn: `Ana has until ${AT} to answer`,
      next: expect.stringContaining('After that time the case goes on without an answer.'),
    })
    expect(step({ viewerRole: 'seller' })).toMatchObject({ waitsFor: 'you', turn: `Your turn: answer by ${AT}` })
  })

  test('both may answer a dispute that the system filed, and the buyer can also confirm the delivery', () => {
    const filed = { reporterId: null, turn: 'both', clocks: [clock('response', 'both')] } satisfies Partial<DisputeCase>
    expect(turnOf(filed)).toBe(`You and Ana have until ${AT} to say what happened`)
    const looked = {
      ...filed,
      turn: 'mediator',
      clocks: [clock('first_look', 'mediator')],
    } satisfies Partial<DisputeCase>
    expect(step(looked).next).toContain('confirm the delivery')
    expect(step({ ...looked, viewerRole: 'seller' }).next).toContain('refund it')
  })

  test('a mediator is to take the case first, and then waits for the answer', () => {
    expect(turnOf({ viewerRole: 'mediator' })).toBe(`Your turn: take the case by ${AT}`)
    expect(turnOf({ viewerRole: 'mediator', clocks: [clock('response', 'seller')] })).toBe(
      `Ana has until ${AT} to answer`,
    )
  })
})

test('a delay of the mediator is said to both sides, and decides nothing', () => {
  const late = {
    turn: 'mediator',
    clocks: [clock('ruling', 'mediator', { isEscalated: true })],
  } satisfies Partial<DisputeCase>
  expect(step(late)).toMatchObject({
    turn: `The ruling is late. It was due ${AT}`,
    next: expect.stringContaining('A delay never decides about the money.'),
  })
  expect(turnOf({ ...late, viewerRole: 'mediator' })).toBe(`Late: a ruling was due ${AT}`)
})

describe('after a ruling', () => {
  const ruled = {
    status: 'resolved',
    turn: 'both',
    rulings: [ruling()],
    clocks: [clock('appeal', 'both')],
  } satisfies Partial<DisputeCase>

  test('a party can appeal until it is final', () => {
    expect(turnOf({ ...ruled, actions: ['appeal', 'waiveAppeal'] })).toBe(`You can appeal until ${AT}`)
    expect(turnOf({ ...ruled, viewerRole: 'mediator' })).toBe(`The ruling is final on ${AT}`)
  })

  test('who has given up the right to appeal waits for the other', () => {
    const waived = {
      ...{ ...ruled, rulings: [ruling({ waivedBy: ['buyer'] })], actions: [] },
      ...({ turn: 'seller', clocks: [clock('appeal', 'seller')] } satisfies Partial<DisputeCase>),
    }
    expect(step(waived).next).toContain('When Ana does too')
  })

  test('another mediator decides about an appeal', () => {
    const appealed = {
      ...ruled,
      turn: 'mediator',
      clocks: [clock('second_ruling', 'mediator')],
    } satisfies Partial<DisputeCase>
    const asked = { ...appealed, appeal: { role: 'seller', reason: 'No.', at: '2026-12-03T10:00:00.000Z' } } as const
    expect(step(asked)).toMatchObject({
      turn: `A mediator makes the final decision by ${AT}`,
      next: expect.stringMatching(/^Another mediator decides about the appeal\. That decision is final\./),
    })
    expect(turnOf({ ...asked, viewerRole: 'mediator', actions: ['rule'] })).toBe(
      `Your turn: make the final decision by ${AT}`,
    )
    expect(step({ ...appealed, viewerRole: 'mediator', actions: [] }).next).toContain('You ruled first')
  })
})

describe('a return', () => {
  const returning = {
    status: 'resolved',
    turn: 'buyer',
    clocks: [clock('return_shipping', 'buyer')],
  } satisfies Partial<DisputeCase>

  test('says what happens when it is back, and when nothing is shipped, in amounts', () => {
    expect(step(returning)).toMatchObject({
      waitsFor: 'you',
      turn: `Your turn: send the item back by ${AT}`,
      next: 'When the item is back, you get a full refund of $107.00. If nothing is shipped by then, $98.50 goes to Ana.',
    })
  })

  test('is looked at by the seller', () => {
    const checking = {
      status: 'resolved',
      turn: 'seller',
      clocks: [clock('return_check', 'seller')],
    } satisfies Partial<DisputeCase>
    expect(turnOf({ ...checking, viewerRole: 'seller' })).toBe(`Your turn: look at what came back by ${AT}`)
    expect(turnOf(checking)).toBe(`Ana has until ${AT} to look at what came back`)
  })
})

describe('a proposal of the other side', () => {
  const offered = {
    proposals: [proposal()],
    actions: ['propose', 'declineProposal'],
  } satisfies Partial<DisputeCase>

  test('is the reader’s next step, and the case goes on meanwhile', () => {
    expect(step({ ...offered, turn: 'mediator', clocks: [clock('ruling', 'mediator')] })).toEqual({
      waitsFor: 'you',
      turn: 'Your turn: answer Ana’s proposal',
      next: `Accept it, decline it, or propose another amount. Until both of you agree, the case goes on. A mediator rules by ${AT}.`,
    })
  })

  test('comes after a time limit of the reader’s own', () => {
    const returning = {
      ...offered,
      turn: 'buyer',
      clocks: [clock('return_shipping', 'buyer')],
    } satisfies Partial<DisputeCase>
    expect(step(returning)).toMatchObject({
      turn: `Your turn: send the item back by ${AT}`,
      next: expect.stringMatching(/^Ana proposes a settlement, see below\. When the item is back/),
    })
  })

  test('of more than what is held now cannot be accepted', () => {
    const high = { ...offered, proposals: [proposal({ refundAmount: '5000.00' })] }
    expect(step(high).next).toMatch(/^It is more than what is held now, so it cannot be accepted\./)
  })

  test('of one’s own waits for the other side', () => {
    const own = { proposals: [proposal({ role: 'buyer' })], actions: ['propose'] } satisfies Partial<DisputeCase>
    expect(turnOf(own)).toBe(`Ana has until ${AT} to answer`)
  })
})

test('while the buyer’s bank decides no time limit runs, nothing can be settled, and each reads what they can do', () => {
  const waiting = { turn: 'bank', clocks: [], actions: ['addEvidence'] } satisfies Partial<DisputeCase>
  expect(turnOf(waiting)).toBe('On hold: your bank decides')
  expect(step(waiting).next).toMatch(/no time limit runs, and nothing can be settled or ruled on\. Say under Evidence/)
  const mediator = { ...waiting, viewerRole: 'mediator', actions: ['investigate'] } satisfies Partial<DisputeCase>
  expect(turnOf(mediator)).toBe('On hold: the buyer’s bank decides')
  expect(step(mediator).next).toMatch(/You can already take the case/)
  expect(step({ ...waiting, actions: ['appeal'] }).next).toMatch(/You can appeal now\./)
  expect(step({ ...waiting, actions: ['shipReturn'] }).next).toMatch(/send the item back now, or wait/)
})

test('a step that escrow has not answered yet is being carried out, whether money moves or the transaction goes on', () => {
  for (const status of ['open', 'resolved'] as const)
    expect(step({ status, turn: 'none' })).toEqual({
      waitsFor: 'none',
      turn: 'The last step is being carried out',
      next: 'It takes a moment. There is nothing to do meanwhile.',
    })
})

describe('a mediator', () => {
  const taken = {
    ...{ turn: 'mediator', viewerRole: 'mediator' },
    clocks: [clock('ruling', 'mediator')],
  } satisfies Partial<DisputeCase>

  test('rules on the case that they have taken', () => {
    expect(step({ ...taken, takenBy: 'reader' })).toMatchObject({ waitsFor: 'you', turn: `Your turn: rule by ${AT}` })
  })

  test('reads who else has taken it', () => {
    const noor = { ...disputeCase().seller, firstName: 'Noor' }
    expect(step({ ...taken, takenBy: 'other', mediatorId: noor.id, mediator: noor })).toMatchObject({
      waitsFor: 'other',
      turn: `Noor has taken the case and rules by ${AT}`,
      next: 'You can take the case over at the end of this page. The parties can still settle.',
    })
  })

  const request: NonNullable<DisputeCase['rulingRequest']> = {
    ...{ id: uuid(501), outcome: 'full_refund', refundAmount: '100.00', resolution: 'It is broken.' },
    ...{ askedBy: 'reader', askedAt: '2026-11-24T13:00:00.000Z', expiresAt: '2026-12-01T13:00:00.000Z' },
  }

  test('reads that their ruling waits for a second admin', () => {
    expect(step({ ...taken, takenBy: 'reader', actions: ['rule', 'decideRuling'], rulingRequest: request })).toEqual({
      waitsFor: 'other',
      turn: 'Your ruling waits for a second admin',
      next: 'Nothing is recorded yet, and the parties do not know of it. They can still settle.',
    })
  })

  test('reads that the ruling of another one waits for their decision', () => {
    const noor = { ...disputeCase().seller, firstName: 'Noor' }
    const asked = {
      ...{ ...taken, takenBy: 'other', mediatorId: noor.id, mediator: noor },
      rulingRequest: { ...request, askedBy: 'other' },
    } satisfies Partial<DisputeCase>
    expect(step({ ...asked, actions: ['decideRuling'] })).toMatchObject({
      waitsFor: 'you',
      turn: 'Your turn: approve or reject the ruling that Noor asks for',
    })
    expect(step({ ...asked, actions: [] })).toMatchObject({
      waitsFor: 'other',
      turn: 'A ruling of Noor waits for another admin',
    })
  })

  test('is not named to the parties', () => {
    expect(step({ ...taken, viewerRole: 'buyer', takenBy: 'other' })).toMatchObject({
      turn: `A mediator rules by ${AT}`,
      next: expect.stringMatching(/^A mediator has taken the case\. /),
    })
  })
})

const [FILED] = disputeCase().history as [DisputeCase['history'][number]]
const returned = ruling({ outcome: 'return_exchange', refundAmount: '100.00', isFinal: true })

/** How each kind of dispute ends: what the case has then, and what it says to the buyer, to the seller and to a mediator. */
const ENDS: readonly [kind: string, change: Partial<DisputeCase>, buyer: string, seller: string, mediator: string][] = [
  [
    'settled over a part',
    { endedBy: 'settlement', proposals: [proposal({ state: 'accepted' })] },
    'Settled: $30.00 of the price that was held goes back to you',
    'Settled: $30.00 of the price that was held goes back to Ben',
    'Settled: $30.00 of the price that was held goes back to Ben',
  ],
  [
    'settled over nothing',
    { endedBy: 'settlement', proposals: [proposal({ state: 'accepted', refundAmount: '0.00' })] },
    'Settled: none of the price that was held goes back to you',
    'Settled: none of the price that was held goes back to Ben',
    'Settled: none of the price that was held goes back to Ben',
  ],
  ['withdrawn', { endedBy: 'withdrawal' }, ...same('Withdrawn: the transaction went on')],
  ['ruled', { endedBy: 'ruling', rulings: [ruling({ isFinal: true })] }, ...same('Closed: the ruling was carried out')],
  [
    'ruled after an appeal',
    { endedBy: 'ruling', rulings: [ruling(), ruling({ isOnAppeal: true, isFinal: true })] },
    ...same('Closed: the ruling was carried out'),
  ],
  ['returned', { endedBy: 'return', rulings: [returned] }, ...same('Closed: the item came back')],
  [
    'not returned in time',
    { endedBy: 'ruling', rulings: [returned], history: [{ ...FILED, step: 'return_not_shipped' }] },
    ...same('Closed: the item was not sent back in time'),
  ],
  ['a chargeback that was won', provider('chargeback'), ...same('This dispute is closed')],
  ['a chargeback that was lost', provider('chargeback'), ...same('This dispute is closed')],
  ['a refund made at the provider', provider('provider_refund'), ...same('This dispute is closed')],
  ['filed by the system and ended by a delivery', provider('item_not_received'), ...same('This dispute is closed')],
  [
    // The ruling was final, and then the bank took the payment back while the item was on its way.
    'ended by a chargeback during the return',
    { ...provider('chargeback'), rulings: [ruling({ ...returned, isFinal: true })] },
    ...same('This dispute is closed'),
  ],
]

describe('a closed dispute', () => {
  const RESOLUTION = 'In the words of whoever ended it.'
  const closed = {
    ...dispute({ status: 'closed', resolution: RESOLUTION }),
    turn: 'none',
    clocks: [],
    actions: [],
  } satisfies Partial<DisputeCase>

  test.each(ENDS)('that was %s says so to each reader, in words that stay true', (_, change, ...words) => {
    const readers = ['buyer', 'seller', 'mediator'] as const
    const said = readers.map(viewerRole => step({ ...closed, settlement: null, ...change, viewerRole }))
    expect(said.map(({ turn }) => turn)).toEqual(words)
    for (const { waitsFor, turn, next } of said) {
      expect([waitsFor, next]).toEqual(['over', RESOLUTION])
      expect(turn).not.toMatch(/stays held|goes on|by Wed/)
    }
  })
})

function same(words: string): [string, string, string] {
  return [words, words, words]
}

function provider(reason: DisputeCase['reason']): Partial<DisputeCase> {
  return { endedBy: 'transaction', reporterId: null, reason }
}
