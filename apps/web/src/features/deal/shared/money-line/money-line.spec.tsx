import { render, screen } from '@testing-library/react'
import { deal } from '../../../../../test/deals.js'
import { MoneyLine } from './money-line.js'

test('a screen reader reads where the money is', () => {
  render(<MoneyLine deal={deal()} />)
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe('$107.00 is held by Holdfast')
})

test('a frozen hold and a divided one are described in words, too', () => {
  const money = { ...deal().money, held: '0.00', released: '59.10', refunded: '40.00' }
  const { rerender } = render(<MoneyLine deal={deal({ status: 'disputed', clock: null })} size="compact" />)
  expect(screen.getByRole('img').getAttribute('aria-label')).toContain('frozen by a dispute')
  rerender(<MoneyLine deal={deal({ status: 'completed', clock: null, money })} size="compact" />)
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    '$40.00 is back with the buyer (You); $59.10 is with the seller (Ana)',
  )
})
