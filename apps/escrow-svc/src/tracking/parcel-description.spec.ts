import { TRACKING_STATUSES } from '@holdfast/kernel/tracking'
import { describeParcel } from './parcel-description.js'

test('the carrier’s own text comes first and is not changed', () => {
  expect(describeParcel('in_transit', 'Left the depot in Porto', 'departed_facility')).toBe('Left the depot in Porto')
  expect(describeParcel('in_transit', ' abgeholt: Halle 3 ')).toBe('abgeholt: Halle 3')
})

test('a code is written out', () => {
  expect(describeParcel('pre_transit', undefined, 'label_created')).toBe('Label created')
  expect(describeParcel('in_transit', 'arrived_at_facility', null)).toBe('Arrived at facility')
  expect(describeParcel('exception', '', 'lost')).toBe('Lost')
})

test('each status has a description of its own, which is used when the carrier sends no text', () => {
  const sentences = TRACKING_STATUSES.map(status => describeParcel(status, null, 'unknown'))
  expect(new Set(sentences).size).toBe(TRACKING_STATUSES.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^The .+\.$/)
  expect(describeParcel('delivered', undefined, 'status_update')).toBe('The parcel was delivered.')
})
