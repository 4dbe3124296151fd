import { TRACKING_STATUSES } from '@holdfast/kernel/tracking'
import { expect, test } from '@jest/globals'
import { parcelWords } from './parcel-words.js'

test('the carrier’s own words come first, and stay as they are', () => {
  expect(parcelWords('in_transit', 'Left the depot in Porto', 'departed_facility')).toBe('Left the depot in Porto')
  expect(parcelWords('in_transit', ' abgeholt: Halle 3 ')).toBe('abgeholt: Halle 3')
})

test('a code is written out', () => {
  expect(parcelWords('pre_transit', undefined, 'label_created')).toBe('Label created')
  expect(parcelWords('in_transit', 'arrived_at_facility', null)).toBe('Arrived at facility')
  expect(parcelWords('exception', '', 'lost')).toBe('Lost')
})

test('where nothing is told, the status speaks, and never of another one', () => {
  const sentences = TRACKING_STATUSES.map(status => parcelWords(status, null, 'unknown'))
  expect(new Set(sentences).size).toBe(TRACKING_STATUSES.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^The .+\.$/)
  expect(parcelWords('delivered', undefined, 'status_update')).toBe('The parcel was delivered.')
})
