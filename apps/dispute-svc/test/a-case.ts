import type { Case } from '../src/cases/domain/case.js'

/** A case that a mediator looks at, for tests of the rules. */
export const aCase = (change: Partial<Case> = {}): Case => ({
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
  takenBy: null,
  waitsForBank: false,
  appealedMediators: [],
  rulingRequest: null,
  returnContested: false,
  evidenceOf: { buyer: 0, seller: 0 },
  proposalsOf: { buyer: 0, seller: 0 },
  returnShipments: 0,
  returnNumber: null,
  returnCarrier: null,
  ...change,
})
