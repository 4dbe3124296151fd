import { expect, test } from '@jest/globals'
import { listed } from '../../../../test/disputes.js'
import { ana, ben } from '../../../../test/people.js'
import { turnOf } from './turn.view.js'

const NAMES = { buyer: 'Ben', seller: 'Ana' }

test('each party reads whose turn it is from their own side', () => {
  expect(turnOf(listed({ turn: 'seller' }), ben.id, NAMES)).toEqual({ words: 'Ana’s turn', isMine: false })
  expect(turnOf(listed({ turn: 'seller' }), ana.id, NAMES)).toEqual({ words: 'Your turn', isMine: true })
  expect(turnOf(listed({ turn: 'both' }), ana.id, NAMES)).toEqual({ words: 'Your turn, and Ben’s', isMine: true })
  expect(turnOf(listed({ turn: 'mediator' }), ana.id, NAMES).isMine).toBe(false)
})
