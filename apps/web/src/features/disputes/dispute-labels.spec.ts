import { DISPUTE_REASONS } from '@holdfast/kernel/disputes'
import { reasonLabel } from './dispute-labels.js'

test('every reason begins with a capital letter, also one that this release does not know', () => {
  for (const reason of DISPUTE_REASONS) expect(reasonLabel(reason)).toMatch(/^[A-Z]/)
  expect(reasonLabel('lost-parcel')).toBe('Lost parcel')
})
