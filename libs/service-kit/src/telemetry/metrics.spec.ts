import { describe, expect, it } from '@jest/globals'
import { gauge, registry } from './metrics.js'

describe('a gauge', () => {
  it('is measured at every scrape by all who gave a way, such as one for each group of consumers', async () => {
    gauge('test_lag', 'Events a group has not handled', ['group'], lag => lag.set({ group: 'first' }, 1))
    gauge('test_lag', 'Events a group has not handled', ['group'], async lag => lag.set({ group: 'second' }, 2))
    const text = await registry.metrics()
    expect(text).toContain('test_lag{group="first"} 1')
    expect(text).toContain('test_lag{group="second"} 2')
  })

  it('that cannot be measured keeps its value and hides no other metric', async () => {
    let isReachable = true
    gauge('test_waiting', 'Rows that wait', [], async waiting => {
      if (!isReachable) throw new Error('the database is unreachable')
      waiting.set(7)
    })
    await registry.metrics()
    isReachable = false
    gauge('test_other', 'Another metric', [], other => other.set(3))
    const text = await registry.metrics()
    expect(text).toContain('test_waiting 7')
    expect(text).toContain('test_other 3')
  })
})
