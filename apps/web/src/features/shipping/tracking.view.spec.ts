import { expect, test } from '@jest/globals'
import { trackingSentence } from './tracking.view.js'

test('the carrier’s words stand beside the badge, codes are written out, and repetitions left away', () => {
  const status = 'in_transit'
  expect(trackingSentence({ status, statusDescription: 'Left the depot in Porto' })).toBe('Left the depot in Porto')
  expect(trackingSentence({ status, statusDescription: 'arrived_at_facility' })).toBe('Arrived at facility')
  expect(trackingSentence({ status, statusDescription: 'in_transit' })).toBeNull()
  expect(trackingSentence({ status, statusDescription: '' })).toBeNull()
})
