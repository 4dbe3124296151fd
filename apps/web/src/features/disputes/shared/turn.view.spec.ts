import type { ListedDispute } from '@holdfast/contracts/disputes'
import { clock, listed } from '../../../../test/disputes.js'
import { transaction } from '../../../../test/transactions.js'
import { turnInList } from './turn.view.js'

const AT = 'Wed, Nov 25, 2:00 PM'
const turnFor = (viewerRole: 'buyer' | 'seller', change: Partial<ListedDispute>, waitsForBank = false) =>
  turnInList(listed(change), transaction({ viewerRole, waitsForBank }), { timeZone: 'UTC' })

test('a proposal of the other side is the reader’s turn, although a mediator looks at the case', () => {
  const clocks = [clock('ruling', 'mediator')]
  const waits = { turn: 'mediator', proposedTo: 'buyer', clocks } satisfies Partial<ListedDispute>
  expect(turnFor('buyer', waits)).toMatchObject({ words: 'Your turn: answer Ana’s proposal', waitsFor: 'you' })
  expect(turnFor('seller', waits)).toMatchObject({ words: `A mediator rules by ${AT}`, waitsFor: 'mediator' })
})

test('each party reads whose turn it is from their own side', () => {
  expect(turnFor('buyer', {})).toMatchObject({ words: `Ana has until ${AT} to answer`, waitsFor: 'other' })
  expect(turnFor('seller', {})).toMatchObject({ words: `Your turn: answer by ${AT}`, waitsFor: 'you' })
  const both = { turn: 'both', clocks: [clock('response', 'both')] } satisfies Partial<ListedDispute>
  expect(turnFor('seller', both).words).toBe(`You and Ben have until ${AT} to say what happened`)
})

test('while the buyer’s bank decides it is no party’s turn', () => {
  expect(turnFor('buyer', {}, true)).toEqual({ words: 'On hold: your bank decides', waitsFor: 'none', dueAt: null })
  expect(turnFor('seller', {}, true).words).toBe('On hold: Ben’s bank decides')
  expect(turnFor('seller', { turn: 'bank', clocks: [], proposedTo: 'seller' }).words).toBe(
    'On hold: Ben’s bank decides',
  )
})
