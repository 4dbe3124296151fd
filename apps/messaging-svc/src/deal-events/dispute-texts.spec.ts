import { DISPUTE_CLOCKS, DISPUTE_STEPS } from '@holdfast/kernel/disputes'
import { announcementOfStep, type DisputeProgress } from './dispute-texts.js'

const progress = (more: Partial<DisputeProgress>): DisputeProgress => ({
  disputeId: 101,
  transactionId: 7,
  buyerId: 'b',
  sellerId: 's',
  title: 'Camera',
  step: 'evidence_added',
  by: 'seller',
  refund: null,
  currency: 'USD',
  clock: null,
  turn: 'none',
  dueAt: null,
  ...more,
})
const toldTo = (more: Partial<DisputeProgress>) =>
  announcementOfStep(progress(more))?.notifications.map(({ userId }) => userId)

describe('a step of a dispute', () => {
  it('is told to the party that did not take it, and to both when neither did', () => {
    expect(toldTo({ step: 'evidence_added', by: 'seller' })).toEqual(['b'])
    expect(toldTo({ step: 'ruled', by: 'mediator' })).toEqual(['b', 's'])
  })

  it('that is a proposal says who would get what back, whoever proposes it', () => {
    const proposed = (by: DisputeProgress['by'], refund: string) =>
      announcementOfStep(progress({ step: 'settlement_proposed', by, refund }))?.chat.split('.')[0]
    expect(announcementOfStep(progress({ step: 'settlement_proposed', by: 'buyer', refund: '40.00' }))?.chat).toBe(
      'The buyer proposes to get $40.00 of the price back. The other side can accept, decline or propose another amount.',
    )
    expect(
      announcementOfStep(progress({ step: 'settlement_proposed', by: 'seller', refund: '40.00' }))?.chat,
    ).toContain('The seller proposes that the buyer gets $40.00 of the price back.')
    expect(proposed('seller', '0.00')).toBe('The seller proposes that the buyer gets nothing back')
  })

  it('names the amount that was agreed, and everything when all of it goes back', () => {
    const agreed = (refund: string | null) => announcementOfStep(progress({ step: 'settlement_agreed', refund }))?.chat
    expect(agreed('40.00')).toBe('Buyer and seller agreed on a settlement: the buyer gets $40.00 of the price back.')
    expect(agreed(null)).toContain('the buyer gets everything back')
  })

  it('that is a ruling says what was ruled, and that an appeal is possible only while it is', () => {
    const ruled = (ruling: DisputeProgress['ruling'], refund: string | null = null) =>
      announcementOfStep(progress({ step: 'ruled', by: 'mediator', ruling, refund }))?.chat
    expect(ruled({ outcome: 'full_refund', isFinal: false })).toContain('everything')
    expect(ruled({ outcome: 'full_refund', isFinal: false })).toContain('can appeal within 7 days')
    expect(ruled({ outcome: 'partial_refund', isFinal: true }, '40.00')).toContain('$40.00')
    expect(ruled({ outcome: 'partial_refund', isFinal: true }, '40.00')).not.toContain('appeal')
    expect(ruled({ outcome: 'return_exchange', isFinal: false })).toContain('sends the item back')
    expect(ruled({ outcome: 'seller_favor', isFinal: false }, '0.00')).not.toContain('$0.00')
    expect(ruled({ outcome: 'seller_favor', isFinal: false }, '0.00')).toContain('less the seller’s fee')
    expect(ruled({ outcome: 'partial_refund', isFinal: false }, '40.00')).toContain('less the seller’s fee')
  })

  it('that makes a return final tells the buyer to send the item back, and by when', () => {
    const final = (outcome: 'return_exchange' | 'full_refund') =>
      announcementOfStep(progress({ step: 'ruling_final', by: 'system', ruling: { outcome, isFinal: true } }))
    expect(final('return_exchange')?.chat).toContain('sends the item back within 14 days')
    expect(final('return_exchange')?.notifications).toHaveLength(2)
    expect(final('full_refund')).toBeNull()
  })

  it('that is a reminder is told only to those whose turn it is', () => {
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'response', turn: 'seller' })).toEqual(['s'])
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'appeal', turn: 'both' })).toEqual(['b', 's'])
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'ruling', turn: 'mediator' })).toEqual([])
  })

  it('has a title that its text does not repeat', () => {
    for (const step of DISPUTE_STEPS)
      for (const { title, message } of announcementOfStep(progress({ step, by: 'system' }))?.notifications ?? [])
        expect(message).not.toContain(title)
  })

  it('has its words for every step and time limit', () => {
    for (const step of DISPUTE_STEPS)
      for (const clock of DISPUTE_CLOCKS) {
        const text = announcementOfStep(progress({ step, clock }))?.chat
        expect(text ?? 'told by another event').toMatch(/^\S.*\S$/)
        expect(text ?? '').not.toMatch(/undefined|null/)
      }
    const elsewhere = DISPUTE_STEPS.filter(step => announcementOfStep(progress({ step })) === null)
    expect(elsewhere.sort()).toEqual([
      ...[
        'answered',
        'closed',
        'filed',
        'return_confirmed',
        'ruling_final',
        'time_resumed',
        'time_stopped',
        'withdrawn',
      ],
    ])
  })
})
