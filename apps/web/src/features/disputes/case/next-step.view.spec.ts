import type { DisputeCase } from '@holdfast/contracts/disputes'
import { describe, expect, test } from '@jest/globals'
import { clock, dispute, disputeCase, proposal, ruling } from '../../../../test/disputes.js'
import { nextStep } from './next-step.view.js'

const AT = 'Wed, Nov 25, 2:00 PM'
const step = (change: Partial<DisputeCase>) => nextStep(disputeCase(change), { timeZone: 'UTC' })
const turnOf = (change: Partial<DisputeCase>) => step(change).turn

describe('while the other side may answer', () => {
  test('it is their turn, and the case goes on without them', () => {
    expect(step({})).toMatchObject({
      waitsFor: 'other',
      turn: `Ana has until ${AT} to answer`,
      next: expect.stringContaining('Then the case goes on without an answer.'),
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
    const waived = { ...ruled, rulings: [ruling({ waivedBy: ['buyer'] })], actions: [] }
    expect(step(waived).next).toContain('When Ana does too')
  })

  test('another mediator decides about an appeal', () => {
    const appealed = {
      ...ruled,
      turn: 'mediator',
      clocks: [clock('second_ruling', 'mediator')],
    } satisfies Partial<DisputeCase>
    expect(turnOf(appealed)).toBe(`Another mediator decides about the appeal by ${AT}`)
    expect(turnOf({ ...appealed, viewerRole: 'mediator', actions: ['rule'] })).toBe(
      `Your turn: decide about the appeal by ${AT}`,
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

  test('of one’s own waits for the other side', () => {
    const own = { proposals: [proposal({ role: 'buyer' })], actions: ['propose'] } satisfies Partial<DisputeCase>
    expect(turnOf(own)).toBe(`Ana has until ${AT} to answer`)
  })
})

test('while the buyer’s bank decides nothing can be settled', () => {
  const { settlement } = disputeCase()
  expect(turnOf({ settlement: settlement && { ...settlement, waitsForBank: true } })).toBe(
    'On hold: the buyer’s bank decides',
  )
})

test('what was decided and is not posted yet is being carried out', () => {
  expect(turnOf({ status: 'resolved', turn: 'none' })).toBe('What was decided is being carried out')
})

test('a closed dispute says how it ended', () => {
  const closed = { ...dispute({ status: 'closed', resolution: 'Buyer and seller agreed on a settlement.' }) }
  expect(step({ ...closed, proposals: [proposal({ state: 'accepted' })] })).toMatchObject({
    waitsFor: 'over',
    turn: 'Settled: $30.00 of the price goes back to you',
    next: 'Buyer and seller agreed on a settlement.',
  })
  const [filed] = disputeCase().history
  expect(turnOf({ ...closed, history: [{ ...filed!, step: 'withdrawn' }] })).toBe('Withdrawn: the transaction goes on')
  expect(turnOf({ ...closed, rulings: [ruling({ isFinal: true })] })).toBe('Closed: the ruling was carried out')
})
