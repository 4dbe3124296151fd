import { DISPUTE_CLOCKS, DISPUTE_STEPS } from '@holdfast/kernel/disputes'
import { describe, expect, it } from '@jest/globals'
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

  it('names the amount, and everything when all of it goes back', () => {
    expect(announcementOfStep(progress({ step: 'settlement_proposed', refund: '40.00' }))?.chat).toContain('$40.00')
    expect(announcementOfStep(progress({ step: 'ruled', by: 'mediator' }))?.chat).toContain('everything')
  })

  it('that is a reminder is told only to those whose turn it is', () => {
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'response', turn: 'seller' })).toEqual(['s'])
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'appeal', turn: 'both' })).toEqual(['b', 's'])
    expect(toldTo({ step: 'reminded', by: 'system', clock: 'ruling', turn: 'mediator' })).toEqual([])
  })

  it('has its words for every step and time limit', () => {
    for (const step of DISPUTE_STEPS)
      for (const clock of DISPUTE_CLOCKS) {
        const text = announcementOfStep(progress({ step, clock }))?.chat
        expect(text ?? 'told by another event').toMatch(/^\S.*\S$/)
        expect(text ?? '').not.toMatch(/undefined|null/)
      }
  })
})
