import { aCase } from '../../../test/a-case.js'
import { actionsOf } from './turns.js'

const dispute = aCase({
  proposals: [{ id: 'p', by: 'seller', refundMinor: 100n, heldMinor: 500n }],
  proposalsOf: { buyer: 0, seller: 1 },
  waitsForBank: true,
})

describe('while the buyer’s bank decides', () => {
  it.each([
    ['the buyer', 'investigating', 'buyer', ['addEvidence', 'declineProposal']],
    ['the buyer', 'resolved', 'buyer', ['declineProposal', 'appeal']],
    ['the buyer', 'returning', 'buyer', ['declineProposal', 'shipReturn']],
    ['the seller', 'checking', 'seller', ['contestReturn']],
    ['a mediator', 'investigating', 'mediator', ['investigate']],
    ['a mediator', 'contested', 'mediator', ['investigate']],
  ] as const)(
    '%s of a dispute that is %s is offered only what decides nothing about the money',
    (_, stage, role, offered) => {
      expect(actionsOf({ ...dispute, stage }, role, role === 'buyer' ? 'b' : role === 'seller' ? 's' : 'noor')).toEqual(
        offered,
      )
    },
  )

  it('each is offered the rest again afterwards', () => {
    const after = { ...dispute, waitsForBank: false }
    expect(actionsOf(after, 'buyer', 'b')).toEqual(['addEvidence', 'withdraw', 'propose', 'declineProposal'])
    expect(actionsOf(after, 'mediator', 'noor')).toEqual(['investigate', 'rule'])
  })
})
