import { DEAL_STATUSES, PARTY_ROLES } from '@holdfast/kernel/deals'
import { chargeback, deal, NOW } from '../../../../../test/deals.js'
import { moneyLine } from './money-line.view.js'

const UTC = { timeZone: 'UTC' }
const view = (change: Parameters<typeof deal>[0] = {}) => moneyLine(deal(change), NOW, UTC)
const money = deal().money

describe('where the money is', () => {
  test('before the payment it is with the buyer, with all fees', () => {
    expect(view({ status: 'pending' }).marks).toEqual([{ at: 'buyer', amount: '107.00', tone: 'due' }])
  })

  test('while the provider has not spoken, or the funds are not final, it is on its way into the hold', () => {
    const moving = [{ at: 'to_hold', amount: '107.00', tone: 'moving' }]
    expect(view({ status: 'pending', paymentProcessing: true }).marks).toEqual(moving)
    expect(view({ status: 'secured' }).marks).toEqual(moving)
  })

  test.each(['paid', 'in_progress', 'shipped', 'delivered', 'inspection'] as const)('while %s it is held', status => {
    expect(view({ status }).marks).toEqual([{ at: 'hold', amount: '107.00', tone: 'held' }])
  })

  test('in a dispute it is held and frozen', () => {
    expect(view({ status: 'disputed', clock: null }).marks).toEqual([{ at: 'hold', amount: '107.00', tone: 'frozen' }])
  })

  test('while the buyer’s bank disputes the payment it is held, and the bank decides', () => {
    const stopped = view({ status: 'disputed', clock: null, waitsForBank: true })
    expect(stopped.marks).toEqual([{ at: 'hold', amount: '107.00', tone: 'frozen' }])
    expect(stopped.turn).toBe('On hold: your bank decides')
  })

  test('after a lost chargeback the buyer’s bank has it', () => {
    const lost = view({ status: 'cancelled', clock: null, money: { ...money, held: '0.00', chargedBack: '107.00' } })
    expect(lost.marks).toEqual([{ at: 'buyer', amount: '107.00', tone: 'arrived' }])
    expect(lost.turn).toBe('Cancelled: $107.00 taken back by your bank')
  })

  describe('while the bank decides about a deal that is over', () => {
    const released = { ...money, held: '0.00', released: '98.50' }
    const refunded = { ...money, held: '0.00', refunded: '107.00' }

    test.each([
      ['completed', 'seller', released, 'Ben’s bank disputes the payment'],
      ['completed', 'buyer', released, 'Your bank looks at the payment'],
      ['released', 'buyer', released, 'Your bank looks at the payment'],
      ['cancelled', 'buyer', refunded, 'Your bank looks at the payment'],
    ] as const)('a %s one says so to the %s', (status, viewerRole, amounts, turn) => {
      const open = view({ status, viewerRole, clock: null, money: amounts, chargeback: chargeback('open') })
      expect(open).toMatchObject({ turn, waitsFor: 'none' })
      expect(open.next).not.toContain('Nothing is held')
    })

    test.each(['won', 'lost'] as const)('once it is %s the line says where the money is', status => {
      const ended = view({ status: 'completed', clock: null, money: released, chargeback: chargeback(status) })
      expect(ended).toMatchObject({ turn: '$98.50 released to Ana', waitsFor: 'over' })
    })
  })

  test('once released it is with the seller, less the fee', () => {
    const done = view({ status: 'completed', clock: null, money: { ...money, held: '0.00', released: '98.50' } })
    expect(done.marks).toEqual([{ at: 'seller', amount: '98.50', tone: 'arrived' }])
    expect(done.waitsFor).toBe('over')
  })

  test('a divided hold shows both parts, each to the cent', () => {
    const divided = view({
      status: 'completed',
      clock: null,
      money: { ...money, held: '0.00', released: '59.10', refunded: '40.00' },
    })
    expect(divided.marks?.map(mark => [mark.at, mark.amount])).toEqual([
      ['buyer', '40.00'],
      ['seller', '59.10'],
    ])
    expect(divided.turn).toBe('$59.10 released to Ana, $40.00 went back to you')
  })

  test.each(['completed', 'cancelled', 'released'] as const)(
    'a partial refund shows both parts, although the deal is %s',
    status => {
      const divided = view({
        status,
        clock: null,
        money: { ...money, held: '0.00', released: '59.10', refunded: '40.01' },
      })
      expect(divided.marks?.map(mark => [mark.at, mark.amount])).toEqual([
        ['buyer', '40.01'],
        ['seller', '59.10'],
      ])
      for (const part of ['$59.10 released to Ana', '$40.01', 'back to you']) expect(divided.turn).toContain(part)
    },
  )

  test('a completed deal whose whole payment was refunded releases nothing to the seller', () => {
    const refunded = view({
      status: 'completed',
      viewerRole: 'seller',
      clock: null,
      money: { ...money, held: '0.00', refunded: '107.00' },
    })
    expect(refunded.marks).toEqual([{ at: 'buyer', amount: '107.00', tone: 'arrived' }])
    expect(refunded.turn).toBe('$107.00 went back to Ben')
    expect(refunded.next).not.toContain('balance')
  })

  test('a refund that the bank returned is not shown as money that the buyer has', () => {
    const failed = view({
      status: 'cancelled',
      clock: null,
      refund: 'failed',
      money: { ...money, held: '0.00', refunded: '107.00' },
    })
    expect(failed.marks).toEqual([{ at: 'hold', amount: '107.00', tone: 'held' }])
    expect(failed.turn).toBe('Cancelled: the refund of $107.00 to you failed')
    expect(failed.next).toContain('Holdfast still has the money')
  })

  test('a deal cancelled before anything was paid shows no money, one cancelled later shows the refund', () => {
    const unpaid = { ...money, held: '0.00' }
    expect(view({ status: 'cancelled', clock: null, money: unpaid }).marks).toEqual([])
    const refunded = view({ status: 'cancelled', clock: null, money: { ...money, held: '0.00', refunded: '107.00' } })
    expect(refunded.marks).toEqual([{ at: 'buyer', amount: '107.00', tone: 'arrived' }])
    expect(refunded.turn).toBe('Cancelled: $107.00 goes back to you')
  })
})

describe('whose turn it is', () => {
  test('one’s own turn is an order with a date', () => {
    expect(view({ viewerRole: 'seller' })).toMatchObject({ waitsFor: 'you', turn: 'Your turn: ship by Fri, Dec 4' })
  })

  test('the other’s turn says who, what for, and how long that may take', () => {
    expect(view()).toMatchObject({ waitsFor: 'other', turn: 'Waiting for Ana to ship, 4 days left' })
  })

  test('the inspection names the time that is left and what its end does', () => {
    const clock = { kind: 'inspection', dueAt: '2026-12-02T18:00:00.000Z', outcome: 'released' } as const
    const seen = view({ status: 'inspection', viewerRole: 'seller', turn: 'buyer', clock })
    expect(seen.turn).toBe('Waiting for Ben to inspect and accept, 2 days 4 h left')
    expect(seen.next).toBe(
      'When Ben accepts, or the time ends without a dispute, $98.50 goes to you. A dispute keeps the money held.',
    )
  })

  test('a passed deadline says so instead of counting below zero', () => {
    const clock = { kind: 'ship_by', dueAt: '2026-11-30T13:59:00.000Z', outcome: 'refunded' } as const
    expect(view({ clock }).turn).toBe('Waiting for Ana to ship, the time is up')
  })

  test('while a payment is being confirmed it is no party’s turn, and the line says not to pay again', () => {
    const seen = view({ status: 'pending', paymentProcessing: true, turn: null })
    expect(seen.waitsFor).toBe('none')
    expect(seen.next).toContain('no need to pay again')
  })

  test('while an item travels it is no party’s turn, and the date is that of what happens without a confirmation', () => {
    const clock = { kind: 'receive_by', dueAt: '2026-12-20T14:00:00.000Z', outcome: 'disputed' } as const
    const seen = view({ status: 'shipped', turn: null, clock })
    expect(seen).toMatchObject({ waitsFor: 'none', turn: 'On its way to you' })
    expect(seen.next).toContain('If the delivery is not confirmed by Sun, Dec 20, a mediator looks at it.')
  })

  test('an overdue item names what still ends its dispute, to each party', () => {
    const overdue = { status: 'disputed', turn: null, clock: null } as const
    expect(view({ ...overdue, actions: ['confirm_delivery'] })).toMatchObject({
      waitsFor: 'mediator',
      turn: 'On hold: the item did not arrive in time',
      next: 'A mediator looks at it. When you confirm delivery, or the carrier does, the inspection begins. Ana can also refund you in full. Until then the money stays held.',
    })
    expect(view({ ...overdue, viewerRole: 'seller', actions: ['refund'], trackingNumber: null }).next).toBe(
      'A mediator looks at it. When Ben confirms delivery the inspection begins. You can also refund Ben in full. Until then the money stays held.',
    )
    expect(view(overdue).turn).toBe('On hold: a dispute has stopped it')
  })

  test('an item sold as-is warns that confirming delivery pays the seller at once', () => {
    expect(view({ status: 'shipped', turn: 'buyer', completesOnDelivery: true }).next).toContain(
      'the money goes to Ana at once',
    )
  })

  test.each(DEAL_STATUSES)('%s always says who acts and what comes next', status => {
    for (const viewerRole of PARTY_ROLES) {
      const seen = view({ status, viewerRole, clock: null })
      expect(seen.turn).toMatch(/^[A-Z$].{8,}/)
      expect(seen.next).toMatch(/\.$/)
      expect(`${seen.turn} ${seen.next}`).not.toMatch(/undefined|null| {2}/)
    }
  })
})

test('a buyer whom the seller has named reads that they may decline', () => {
  const offered = { status: 'pending', turn: 'buyer', openedBy: 'seller' } as const
  expect(view(offered).turn).toMatch(/^Your turn: pay or decline by/)
  expect(view({ ...offered, viewerRole: 'seller' }).turn).toMatch(/^Waiting for Ben to pay,/)
})

describe('while a seller whom the buyer has named has not accepted', () => {
  const named = { sellerAccepted: false } as const

  test('the buyer reads that the seller has agreed to nothing, and that the money comes back', () => {
    const { turn, next } = view({ ...named, status: 'paid' })
    expect(turn).toMatch(/^Waiting for Ana to accept and ship/)
    expect(next).toContain('Ana has not accepted these terms yet')
    expect(next).toContain('everything goes back to you')
    expect(view({ ...named, status: 'pending', turn: 'buyer' }).next).toContain('Ana has not accepted these terms yet')
  })

  test('the seller reads how to accept and that they can decline', () => {
    const { turn, next } = view({ ...named, status: 'paid', viewerRole: 'seller' })
    expect(turn).toMatch(/^Your turn: ship or decline by/)
    expect(next).toContain('Ben has named you as the seller, and you have accepted nothing yet.')
    expect(view({ ...named, status: 'pending', viewerRole: 'seller' }).next).toContain('You can decline at any time')
  })
})
