import { render, screen } from '@testing-library/react'
import { StatusBadge } from './badge.js'

test('a status is written as people write it; a table may name other words', () => {
  render(
    <>
      <StatusBadge status="active" looks={{}} />
      <StatusBadge status="in_progress" looks={{ tone: 'held' }} />
      <StatusBadge status="pre_transit" looks={{ label: 'Label Created' }} />
    </>,
  )
  for (const words of ['Active', 'In Progress', 'Label Created']) expect(screen.getByText(words)).toBeTruthy()
})
