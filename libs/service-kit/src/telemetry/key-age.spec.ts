import { showKeyAge } from './key-age.js'
import { registry } from './metrics.js'

it.each([
  ['2026-07', '2026-07-01'],
  ['2026-07-15', '2026-07-15'],
  ['2026-07-b', '2026-07-01'],
])('the id %s says that the key was made on %s', async (id, day) => {
  showKeyAge('TEST_KEYS', id)
  const line = new RegExp(`^key_made_timestamp_seconds\\{.*setting="TEST_KEYS",key="${id}".*\\} (\\d+)$`, 'm')
  expect(Number(line.exec(await registry.metrics())?.[1])).toBe(Date.parse(day) / 1000)
})

it.each(['home', 'first', '2026-13', '20260715', '2026-07x'])('the id %s says no date', async id => {
  showKeyAge('TEST_KEYS', id)
  expect(await registry.metrics()).toMatch(
    new RegExp(`^key_made_timestamp_seconds\\{.*setting="TEST_KEYS",key="${id}".*\\} 0$`, 'm'),
  )
})
