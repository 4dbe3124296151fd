import { EVENTS } from '@holdfast/contracts/events'
import type { ItemPlace } from '@holdfast/kernel/deals'
import { announcementOf } from './announcement.js'
import { DEAL_TEXTS, type Deal, type DealEventName } from './deal-texts.js'

const deal = {
  transactionId: 7,
  listingId: 3,
  buyerId: 'buyer-id',
  sellerId: 'seller-id',
  title: 'Camera',
  amount: '1234.50',
  currency: 'USD' as const,
  status: 'paid' as const,
  at: '2026-11-21T10:00:00.000Z',
  actor: 'provider',
}
const more = {
  openedBy: 'buyer-id',
  sellerAccepted: true,
  total: '1264.19',
  trackingNumber: '1Z999',
  carrier: 'UPS',
  isCorrection: false,
  inspectionEndsAt: '2026-12-04T14:30:00.000Z',
  sellerNet: '1215.98',
  wasFunded: true,
  cause: 'endShipBy',
  refund: '1264.19',
  forced: null,
  disputeId: 1,
  chargeback: '107.00',
  isOtherCurrency: false,
  outcome: 'won' as const,
  waitsForBank: null,
  clock: 'ship_by' as const,
}

/** An event with all fields of all events. */
const say = <N extends DealEventName>(name: N, changes: object = {}) =>
  announcementOf(name, {
    ...deal,
    ...more,
    ...(name === 'transactionDisputed' ? { cause: 'filed' } : {}),
    ...(name === 'transactionDisputeEnded' ? { cause: 'recordDelivery' } : {}),
    ...changes,
  } as Deal<N>)

describe('the texts about a deal', () => {
  const names = Object.keys(DEAL_TEXTS) as DealEventName[]

  test('cover every event of a deal but a review, which is no step of it', () => {
    const events = Object.entries(EVENTS).filter(([, event]) => event.topic === 'escrow.transaction')
    const steps = events.map(([name]) => name).filter(name => name !== 'dealReviewed')
    expect(names.sort()).toEqual(steps.sort())
  })

  test.each(names)('about %s are whole sentences without missing values', name => {
    const { chat, notifications } = say(name)
    for (const text of [chat, ...notifications.map(({ message }) => message)]) {
      expect(text).toMatch(/^[“$\p{Lu}].*\.$/su)
      expect(text).not.toMatch(/undefined|null|NaN|Invalid| {2}/)
    }
  })

  test('format amounts like the screens', () => {
    expect(say('transactionPaid').chat).toContain('$1,264.19 is held')
    expect(say('transactionPaid').notifications[0]?.message).toContain('$1,264.19')
    expect(say('transactionCompleted').chat).toContain('$1,215.98 goes to the seller')
  })

  test('demand nothing of somebody whom the other party has named', () => {
    const told = (name: 'transactionOpened' | 'transactionPaid', changes: object, userId: string) =>
      say(name, { actor: 'system', ...changes }).notifications.find(each => each.userId === userId)?.message
    const named = { sellerAccepted: false }
    expect(told('transactionOpened', named, 'seller-id')).toBe(
      'A buyer has named you as the seller of “Camera” at $1,234.50. You have accepted nothing, and can decline.',
    )
    expect(told('transactionPaid', named, 'seller-id')).toContain('or decline with a refund.')
    expect(told('transactionOpened', { openedBy: 'seller-id' }, 'buyer-id')).toBe(
      'A seller offers you “Camera” at $1,234.50 plus fees. You owe nothing: pay if you want it, or decline.',
    )
  })

  test('contain no times, because only a page knows the reader’s time zone', () => {
    for (const name of names) expect(JSON.stringify(say(name))).not.toMatch(/\bUTC\b|\d:\d\d/)
  })

  test('name the carrier, if there is one, and the tracking number', () => {
    expect(say('transactionShipped').chat).toContain('shipped the item with UPS, tracking number 1Z999.')
    expect(say('transactionShipped', { carrier: null }).chat).toContain('shipped the item, tracking number 1Z999.')
  })

  test('do not announce a corrected tracking number as a second shipment', () => {
    const { chat, notifications } = say('transactionShipped', { isCorrection: true, actor: 'user:seller-id' })
    expect(chat).toBe(
      'The seller has corrected the tracking details: the item was shipped with UPS, tracking number 1Z999.',
    )
    expect(notifications).toEqual([
      {
        userId: 'buyer-id',
        title: 'Tracking corrected',
        message:
          'The seller has corrected the tracking details of “Camera”: it was shipped with UPS, tracking number 1Z999.',
      },
    ])
  })

  test('say that a deal is on hold, and not cancelled, when only a part was refunded', () => {
    const { notifications } = say('transactionRefunded', { cause: 'provider_refund', status: 'disputed' })
    expect(notifications).toHaveLength(2)
    for (const { message } of notifications) expect(message).toMatch(/is on hold: Holdfast refunds/)
  })

  test('give no amount of a chargeback in another currency, because the deal’s is not what the bank asked for', () => {
    for (const name of ['transactionChargebackOpened', 'transactionChargebackClosed'] as const) {
      expect(say(name).chat).toContain('$107.00')
      expect(say(name, { isOtherCurrency: true, outcome: 'won' }).chat).not.toContain('$')
    }
  })

  test('say what the decision of a bank means for a deal that is still stopped', () => {
    const after = (facts: object) => say('transactionChargebackClosed', { status: 'disputed', ...facts }).chat
    expect(after({ outcome: 'won', waitsForBank: false })).toMatch(
      /because a dispute is open\. The time limits of the dispute go on/,
    )
    expect(after({ outcome: 'lost', waitsForBank: false })).toMatch(
      /The rest stays held\. The time limits of the dispute go on/,
    )
    for (const outcome of ['won', 'lost'])
      expect(after({ outcome, waitsForBank: true })).toMatch(/not decided yet about another part/)
    for (const outcome of ['won', 'lost']) expect(after({ outcome })).not.toMatch(/time limits|another part/)
  })

  test('say what a lost chargeback means for the seller of a deal that is over', () => {
    const lost = (status: string) => say('transactionChargebackClosed', { status, outcome: 'lost' }).notifications
    for (const status of ['cancelled', 'completed'])
      expect(lost(status).map(({ userId }) => userId)).toContain('seller-id')
    for (const { message } of lost('cancelled')) expect(message).toMatch(/cancelled, and the seller gets nothing/)
    for (const { message } of lost('completed')) expect(message).toMatch(/what was taken from the seller’s balance/)
  })

  test('give the reason of a cancellation, and where the money is', () => {
    expect(say('transactionCancelled').chat).toBe(
      'The transaction is cancelled. It was not shipped in time. The buyer gets the money back.',
    )
    expect(say('transactionCancelled', { wasFunded: false, cause: 'cancel' }).chat).toBe(
      'The transaction is cancelled. No money is held for it.',
    )
  })
})

describe('the texts about money', () => {
  const chat = <N extends DealEventName>(name: N, changes: object) => say(name, changes).chat

  test('say of a payment that failed whether money came and goes back', () => {
    expect(chat('transactionPaymentFailed', { goesBack: true })).toMatch(/goes back to the buyer’s wallet/)
    expect(chat('transactionPaymentFailed', { goesBack: false })).toMatch(
      /^An attempt to pay did not go through, and charged nothing/,
    )
    const [buyer] = say('transactionPaymentFailed', { goesBack: true }).notifications
    expect(buyer?.message).toMatch(/It goes back to your wallet/)
  })

  test('say of a refund that failed that the money is held only while the deal goes on', () => {
    expect(chat('transactionRefundFailed', { status: 'paid' })).toMatch(/The money is held again\.$/)
    for (const status of ['cancelled', 'completed'])
      expect(chat('transactionRefundFailed', { status })).toMatch(/Holdfast still owes it/)
  })

  test('say of a refund what has become of the deal', () => {
    const messages = (status: string) =>
      say('transactionRefunded', { status, cause: 'refund' }).notifications.map(({ message }) => message)
    for (const message of messages('cancelled')) expect(message).toMatch(/^“Camera” is cancelled: /)
    for (const message of messages('completed')) expect(message).toMatch(/^“Camera” is complete: /)
  })

  test('do not say of a payment that the bank has given back that the buyer gets it back again', () => {
    expect(chat('transactionCancelled', { wasFunded: true, cause: 'chargeback' })).toBe(
      'The transaction is cancelled. The buyer’s bank has given the payment back to the buyer.',
    )
  })

  test('say of a dispute after a refund of a part that the rest stays held', () => {
    expect(chat('transactionDisputed', { cause: 'provider_refund' })).toMatch(/The rest of the money stays held/)
    expect(chat('transactionDisputed', { cause: 'filed' })).toMatch(/ The money stays held/)
  })

  test('say that no time limit of a dispute runs while a bank decides, and none when there is no dispute', () => {
    expect(chat('transactionChargebackOpened', { status: 'disputed' })).toMatch(/no time limit of the dispute runs/)
    expect(chat('transactionChargebackOpened', { status: 'completed' })).not.toMatch(/dispute runs/)
    expect(chat('transactionResumed', { clock: 'ship_by' })).toMatch(/Its deadline runs again\.$/)
    expect(chat('transactionResumed', { clock: null })).not.toMatch(/deadline/)
  })
})

describe('a notification', () => {
  const notified = (actor: string) => say('transactionPaid', { actor }).notifications.map(({ userId }) => userId)

  test('goes to the party that did not act', () => {
    expect(notified('user:buyer-id')).toEqual(['seller-id'])
    expect(notified('user:seller-id')).toEqual(['buyer-id'])
  })

  test.each(['provider', 'carrier', 'clock:ship_by', 'service:dispute-svc', 'user:somebody-else'])(
    'goes to both parties when %s acted',
    actor => {
      expect(notified(actor)).toEqual(['buyer-id', 'seller-id'])
    },
  )
})

describe('a refund', () => {
  test.each([
    ['endShipBy', 'clock:ship_by', ['the seller did not ship it in time', 'you did not ship it in time']],
    ['refund', 'user:seller-id', ['the seller refunds your payment']],
  ])('after %s is one notification, in the second person', (cause, actor, reasons) => {
    const both = (['transactionRefunded', 'transactionCancelled'] as const).map(name => say(name, { cause, actor }))
    const messages = both.flatMap(({ notifications }) => notifications.map(({ message }) => message))
    const money = ['$1,264.19 is on its way back to you.', '$1,264.19 goes back to the buyer.']
    expect(messages).toEqual(
      reasons.map((reason, index) => expect.stringContaining(`“Camera” is cancelled: ${reason}. ${money[index]}`)),
    )
  })
})

describe('a refund by Holdfast', () => {
  const told = (item: ItemPlace, reason: string | null = 'The item is broken.') =>
    say('transactionRefunded', { cause: 'forceRefund', forced: { reason, item } })
  const messages = (...given: Parameters<typeof told>) => told(...given).notifications.map(({ message }) => message)

  test('tells both parties why, in the chat and in the notifications', () => {
    for (const text of [told('with_seller').chat, ...messages('with_seller')])
      expect(text).toMatch(/Holdfast’s reason: “The item is broken\.”(?!\.)/)
    expect(told('with_seller', 'It is broken').chat).toContain('“It is broken.”')
    expect(JSON.stringify(told('with_seller', null))).not.toContain('reason')
  })

  test('tells the seller of an item that has left what to do about it', () => {
    expect(messages('on_its_way')[1]).toMatch(/Ask the carrier to bring it back, or agree with the buyer/)
    expect(messages('with_buyer')[1]).toMatch(/which the buyer has\. Agree with the buyer/)
    expect(messages('with_seller')[1]).toMatch(/Do not send it\.$/)
  })

  test('of an older release is announced without a reason and without words about the item', () => {
    const { message } = say('transactionRefunded', { cause: 'forceRefund' }).notifications[1]!
    expect(message).toBe('“Camera” is cancelled: Holdfast refunds the payment. $1,264.19 goes back to the buyer.')
  })
})

describe('a deal', () => {
  test('is hidden only when it was cancelled unpaid', () => {
    expect(say('transactionCancelled', { wasFunded: false }).hidden).toBe(true)
    expect(say('transactionCancelled', { wasFunded: true }).hidden).toBe(false)
    expect(announcementOf('transactionPaid', { ...deal, total: '1.00', sellerAccepted: true }).hidden).toBe(false)
  })
})
