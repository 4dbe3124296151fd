import { screen } from '@testing-library/react'
import { offerOnly } from '../../../test/payments.js'
import { show } from '../../../test/show.js'
import PlatformPage from './platform-page.js'

test.each([
  [['card'], 'by card', ['To pay by card']],
  [['card', 'bank'], 'by card or by bank transfer', ['To pay by card', 'To pay by bank']],
  [
    ['card', 'bank', 'crypto'],
    'by card, by bank transfer or in cryptocurrency',
    ['To pay by card', 'To pay by bank or crypto'],
  ],
] as const)('only the ways to pay that are offered are named: %j', (methods, ways, windows) => {
  offerOnly(...methods)
  show(<PlatformPage />)
  expect(screen.getByText(/You can pay/).textContent).toContain(`You can pay ${ways}. `)
  expect(screen.getAllByRole('rowheader', { name: /^To pay/ }).map(row => row.textContent)).toEqual(windows)
})

test('the fees name Premium and lead to where it is bought', () => {
  show(<PlatformPage />)
  const link = screen.getByRole('link', { name: 'See what Premium would save you' })
  expect(link.getAttribute('href')).toBe('/upgrade')
  expect(link.closest('p')?.textContent).not.toContain('cannot be bought')
})
