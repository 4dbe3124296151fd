import { trackingSentence } from './tracking.view.js'

test('the carrier’s words stand beside the badge, and repetitions of it are left away', () => {
  const status = 'in_transit'
  expect(trackingSentence({ status, statusDescription: 'Left the depot in Porto' })).toBe('Left the depot in Porto')
  expect(trackingSentence({ status, statusDescription: 'In transit' })).toBeNull()
  expect(trackingSentence({ status, statusDescription: '' })).toBeNull()
})
