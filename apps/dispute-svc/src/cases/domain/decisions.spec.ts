import { MAX_EVIDENCE_PER_PARTY, MAX_PROPOSALS_PER_PARTY, MAX_RETURN_SHIPMENTS } from '@holdfast/kernel/disputes'
import { aCase } from '../../../test/a-case.js'
import type { Case, CaseCircumstances, CaseCommand } from './case.js'
import { decide } from './decisions.js'

const dispute = aCase({
  evidenceOf: { buyer: MAX_EVIDENCE_PER_PARTY, seller: MAX_EVIDENCE_PER_PARTY - 1 },
  proposalsOf: { buyer: MAX_PROPOSALS_PER_PARTY, seller: MAX_PROPOSALS_PER_PARTY - 1 },
  returnShipments: MAX_RETURN_SHIPMENTS,
})
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

  it('does not keep a party from accepting the proposal of the other one', () => {
    const proposals = [{ id: 'theirs', by: 'seller' as const, refundMinor: 100n, heldMinor: null }]
    const accepting: CaseCommand[] = [
      { type: 'agree', proposalId: 'theirs', refundMinor: 100n },
      { type: 'propose', refundMinor: 100n },
    ]
    for (const command of accepting) {
      const change = decide({ ...dispute, proposals }, command, by('buyer'))
      expect(change.closedProposals).toEqual([{ id: 'theirs', state: 'accepted' }])
    }
  })
})

describe('an acceptance', () => {
  const proposals = [{ id: 'theirs', by: 'seller' as const, refundMinor: 100n, heldMinor: 500n }]
  const accept = (proposalId: string, refundMinor: bigint, heldMinor: bigint) =>
    decide({ ...dispute, proposals }, { type: 'agree', proposalId, refundMinor }, { ...by('buyer'), heldMinor })

  it('settles by the proposal that it names, at the amount and the held price that were seen', () => {
    expect(accept('theirs', 100n, 500n).settlement).toMatchObject({ refundMinor: 100n, heldMinor: 500n })
  })

  it.each([
    ['of another proposal', 'older', 100n, 500n],
    ['of another amount', 'theirs', 90n, 500n],
    ['after the held price has changed', 'theirs', 100n, 400n],
  ])('%s is refused, and names the proposal that is open', (_, id, refundMinor, heldMinor) => {
    expect(() => accept(id, refundMinor, heldMinor)).toThrow(
      expect.objectContaining({
        code: 'PROPOSAL_CHANGED',
        details: { proposal: { id: 'theirs', refundAmount: '1.00' } },
      }),
    )
  })
})

describe('the parcel of a return', () => {
  it('is corrected only in what its sender has changed, so that two tabs do not undo each other’s changes', () => {
    const save = (changed: string[], more: Partial<Case> = { returnNumber: 'NEW', returnCarrier: 'DHL' }) => {
      const command = { type: 'shipReturn', trackingNumber: 'OLD', carrier: 'UPS', changed } as const
      return decide(aCase({ stage: 'returning', ...more }), command, by('buyer')).shipment
    }
    expect(save(['carrier'])).toEqual({ trackingNumber: 'NEW', carrier: 'UPS' })
    expect(save(['trackingNumber'])).toEqual({ trackingNumber: 'OLD', carrier: 'DHL' })
    expect(save(['carrier'], {})).toEqual({ trackingNumber: 'OLD', carrier: 'UPS' })
  })
})

describe('a mediator who takes a case', () => {
  const mediator = { ...by('buyer'), role: 'mediator', userId: 'noor' } as const
  const take = (takenBy: string | null, more: { adminNotes?: string; takeOver?: boolean } = {}) =>
    decide({ ...dispute, takenBy }, { type: 'investigate', adminNotes: null, takeOver: false, ...more }, mediator)
  const stepsOf = (...taken: Parameters<typeof take>) => take(...taken).steps.map(({ step }) => step)

  it('is refused while it is another mediator’s, until they say that they take it over', () => {
    expect(stepsOf(null)).toEqual(['investigation_begun'])
    expect(() => take('ruth')).toThrow('DISPUTE_TAKEN')
    expect(() => take('ruth', { adminNotes: 'Hello' })).toThrow('DISPUTE_TAKEN')
    expect(stepsOf('ruth', { takeOver: true })).toEqual(['taken_over'])
  })

  it('does not take it again when they change the notes', () => {
    expect(stepsOf('noor', { adminNotes: 'Which leg?' })).toEqual(['notes_written'])
    expect(stepsOf('noor')).toEqual([])
  })
})

describe('while the buyer’s bank decides', () => {
  const waiting: Case = { ...dispute, waitsForBank: true, evidenceOf: { buyer: 0, seller: 0 } }

  it.each([
    ['a proposal', {}, { type: 'propose', refundMinor: 100n }],
    ['a waived appeal', { stage: 'resolved' }, { type: 'waiveAppeal' }],
    ['a confirmed return', { stage: 'checking' }, { type: 'confirmReturn' }],
    ['the end of the time to appeal', { stage: 'resolved' }, { type: 'endAppeal' }],
  ] satisfies [string, Partial<Case>, CaseCommand][])('%s is refused', (_, more, command) => {
    expect(() => decide({ ...waiting, ...more }, command, by('seller'))).toThrow(
      expect.objectContaining({ code: 'ESCROW_STOPPED_BY_PROVIDER' }),
    )
  })

  it('evidence is added', () => {
    expect(decide(waiting, { type: 'addEvidence' }, by('seller')).steps).toEqual([{ step: 'evidence_added' }])
  })
})

describe('a proposal of the amount that waits already', () => {
  const propose = (heldMinor: bigint) =>
    decide(
      {
        ...{ ...dispute, proposalsOf: { buyer: 1, seller: 0 } },
        proposals: [{ id: 'p', by: 'buyer', refundMinor: 100n, heldMinor: 500n }],
      },
      { type: 'propose', refundMinor: 100n },
      { ...by('buyer'), heldMinor },
    )

  it('is refused, and says why', () => {
    expect(() => propose(500n)).toThrow('You have proposed this amount already. It waits for the answer')
  })

  it('is a new proposal when the deal holds another amount since', () => {
    expect(propose(400n).proposal).toMatchObject({ refundMinor: 100n, heldMinor: 400n })
  })
})
