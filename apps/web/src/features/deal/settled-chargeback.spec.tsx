import type { SettledChargeback as Chargeback } from '@holdfast/contracts/transactions'
import type { PartyRole } from '@holdfast/kernel/deals'
import { screen } from '@testing-library/react'
import { chargeback, deal } from '../../../test/deals.js'
import { show } from '../../../test/show.js'
import SettledChargeback from './settled-chargeback.js'

const text = (viewerRole: PartyRole, status: Chargeback['status'], change: Partial<Chargeback> = {}) => {
  const shown = { ...deal({ status: 'completed', viewerRole }), chargeback: { ...chargeback(status), ...change } }
  show(<SettledChargeback deal={shown} chargeback={shown.chargeback} />)
  return document.body.textContent
}

test.each([
  [
    'open',
    'Ben’s bank asked for $107.00 back on Nov 23, 2026',
    'Holdfast answers the bank. Until the bank decides, only what your balance has above $98.50 is paid out. If it decides for Ben, $98.50 is taken from your balance.',
  ],
  [
    'lost',
    'Ben’s bank gave Ben $107.00 back on Nov 23, 2026',
    '$98.50 was taken from your balance. If your balance is below zero now, your next sales repay it.',
  ],
  [
    'won',
    'Ben’s bank decided on Nov 23, 2026 that the payment stands',
    'It had asked for $107.00 back. Your balance has lost nothing by it.',
  ],
] as const)('the seller reads of one that is %s what it does to their balance', (status, title, meaning) => {
  const words = text('seller', status)
  expect(words).toContain(title)
  expect(words).toContain(meaning)
  expect(screen.queryAllByRole('link', { name: 'Your Balance' })).toHaveLength(status === 'won' ? 0 : 1)
})

test.each([
  [
    'open',
    'Your bank asked for $107.00 back on Nov 23, 2026',
    'It decides within some weeks whether you get the money back.',
  ],
  [
    'lost',
    'Your bank gave you $107.00 back on Nov 23, 2026',
    'You have this money from your bank, and not from Holdfast.',
  ],
  ['won', 'Your bank decided on Nov 23, 2026 that the payment stands', 'You do not get the money back from your bank.'],
] as const)('the buyer reads of one that is %s what they get', (status, title, meaning) => {
  const words = text('buyer', status)
  expect(words).toContain(title)
  expect(words).toContain(meaning)
  expect(words).not.toContain('balance')
})

test.each(['open', 'lost'] as const)('a seller who got nothing of the payment loses nothing (%s)', status => {
  expect(text('seller', status, { fromSeller: '0.00' })).toMatch(/Nothing (is|was) taken from your balance/)
})

test.each(['buyer', 'seller'] as const)(
  'the %s reads that Holdfast has the money when the bank of an ended deal decides again',
  viewerRole => {
    const ended = deal({ status: 'cancelled', viewerRole })
    const shown = { ...ended, money: { ...ended.money, chargedBack: '107.00' } }
    show(<SettledChargeback deal={shown} chargeback={chargeback('won')} />)
    expect(document.body.textContent).toContain('Holdfast has the money again')
  },
)

test('a buyer whom Holdfast has refunded does not read that they get nothing back', () => {
  const refunded = deal({ status: 'cancelled', viewerRole: 'buyer' })
  const shown = { ...refunded, money: { ...refunded.money, refunded: '107.00' } }
  show(<SettledChargeback deal={shown} chargeback={chargeback('won')} />)
  expect(document.body.textContent).toContain('The refund of Holdfast stays as it is.')
})
