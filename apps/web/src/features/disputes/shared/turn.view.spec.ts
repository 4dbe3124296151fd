import { expect, test } from '@jest/globals'
import { listed } from '../../../../test/disputes.js'
import { ana, ben } from '../../../../test/people.js'
import { turnOf } from './turn.view.js'

const NAMES = { buyer: 'Ben', seller: 'Ana' }

test('a proposal of the other side is the reader’s turn, although a mediator looks at the case', () => {
  const waits = listed({ turn: 'mediator', proposedTo: 'buyer' })
  expect(turnOf(waits, ben.id, NAMES)).toEqual({ words: 'Your turn: answer Ana’s proposal', isMine: true })
  expect(turnOf(waits, ana.id, NAMES)).toEqual({ words: 'A mediator’s turn', isMine: false })
})

test('each party reads whose turn it is from their own side', () => {
  expect(turnOf(listed({ turn: 'seller' }), ben.id, NAMES)).toEqual({ words: 'Ana’s turn', isMine: false })
  expect(turnOf(listed({ turn: 'seller' }), ana.id, NAMES)).toEqual({ words: 'Your turn', isMine: true })
  expect(turnOf(listed({ turn: 'both' }), ana.id, NAMES)).toEqual({ words: 'Your turn, and Ben’s', isMine: true })
  expect(turnOf(listed({ turn: 'mediator' }), ana.id, NAMES).isMine).toBe(false)
})
