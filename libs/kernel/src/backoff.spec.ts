import { pauseAfter } from './backoff.js'

test('a pause doubles with each failure, up to the longest', () => {
  const pauses = [1, 2, 3, 4, 5, 2_000].map(failures => pauseAfter(failures, { firstMs: 100, longestMs: 1_000 }))
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000])
})
