import { MAX_EVIDENCE_PER_PARTY, MAX_PROPOSALS_PER_PARTY, MAX_RETURN_SHIPMENTS } from '@holdfast/kernel/disputes'
import { describe, expect, it } from '@jest/globals'
import type { Case, CaseCircumstances, CaseCommand } from './case.js'
import { decide } from './decisions.js'

const dispute: Case = {
  id: 101,
  transactionId: 7,
  title: 'Camera',
  stage: 'investigating',
  buyerId: 'b',
  sellerId: 's',
  reporterId: 'b',
  reason: 'damaged_item',
  currency: 'USD',
  createdAt: new Date(0),
  clocks: [],
  proposals: [],
  ruling: null,
  appealedMediatorId: null,
  returnContested: false,
  evidenceOf: { buyer: MAX_EVIDENCE_PER_PARTY, seller: MAX_EVIDENCE_PER_PARTY - 1 },
  proposalsOf: { buyer: MAX_PROPOSALS_PER_PARTY, seller: MAX_PROPOSALS_PER_PARTY - 1 },
  returnShipments: MAX_RETURN_SHIPMENTS,
}
const by = (role: 'buyer' | 'seller'): CaseCircumstances => ({
  ...{ role, userId: role === 'buyer' ? 'b' : 's', now: new Date(0), daySeconds: 86_400, newId: () => 'new' },
})

describe('a limit for the whole dispute', () => {
  const used: [string, CaseCommand, Partial<Case>, number][] = [
    ['entries of evidence', { type: 'addEvidence' }, {}, MAX_EVIDENCE_PER_PARTY],
    ['proposals', { type: 'propose', refundMinor: 100n }, {}, MAX_PROPOSALS_PER_PARTY],
    [
      'tracking numbers',
      { type: 'shipReturn', trackingNumber: 'BACK 1', carrier: null },
      { stage: 'returning' },
      MAX_RETURN_SHIPMENTS,
    ],
  ]
  it.each(used)('of %s is named when it is used up, and nobody is asked to wait', (what, command, more, limit) => {
    expect(() => decide({ ...dispute, ...more }, command, by('buyer'))).toThrow(
      expect.objectContaining({
        code: 'DISPUTE_WRONG_STATE',
        details: { limit },
        message: `You have added ${limit} ${what}, which is the most in one dispute.`,
      }),
    )
  })

  it('lets the last one pass, and counts each party on its own', () => {
    expect(decide(dispute, { type: 'addEvidence' }, by('seller')).steps).toEqual([{ step: 'evidence_added' }])
    expect(decide(dispute, { type: 'propose', refundMinor: 100n }, by('seller')).proposal).toMatchObject({
      by: 'seller',
    })
  })
})
