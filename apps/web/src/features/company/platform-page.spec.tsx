import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/show.js'
import PlatformPage from './platform-page.js'

test('the fees name Premium and lead to where it is bought', () => {
  show(<PlatformPage />)
  const link = screen.getByRole('link', { name: 'See what Premium would save you' })
  expect(link.getAttribute('href')).toBe('/upgrade')
  expect(link.closest('p')?.textContent).not.toContain('cannot be bought')
})
