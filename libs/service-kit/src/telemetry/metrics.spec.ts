import { atMostEvery, gauge, registry } from './metrics.js'

/** The values of a gauge that a scrape of all metrics shows. */
async function scraped(name: string): Promise<unknown[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.find(metric => metric.name === name)!.values
}

describe('a gauge', () => {
  it('is measured at every scrape by all who gave a way, such as one for each group of consumers', async () => {
    gauge('test_lag', 'Events a group has not handled', ['group'], lag => lag.set({ group: 'first' }, 1))
    gauge('test_lag', 'Events a group has not handled', ['group'], async lag => lag.set({ group: 'second' }, 2))
    expect(await scraped('test_lag')).toMatchObject([
      { labels: { group: 'first' }, value: 1 },
      { labels: { group: 'second' }, value: 2 },
    ])
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
    expect(await scraped('test_waiting')).toMatchObject([{ value: 7 }])
    expect(await scraped('test_other')).toMatchObject([{ value: 3 }])
    // Every scrape since it became unreachable has counted.
    expect(await scraped('metrics_unmeasured_total')).toContainEqual({
      labels: expect.objectContaining({ metric: 'test_waiting' }),
      value: expect.any(Number),
    })
  })
})

describe('a measurement that reads much', () => {
  it('runs once for the scrapes of a while', async () => {
    let runs = 0
    const measure = atMostEvery(60_000, async () => void runs++)
    await Promise.all([measure(), measure()])
    await measure()
    expect(runs).toBe(1)
  })

  it('pauses for much longer than it took, so that a database that grows or is slow is not kept busy by it', async () => {
    let runs = 0
    let nowMs = 1_000
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
    try {
      const measure = atMostEvery(60_000, async () => {
        runs++
        nowMs += 10_000
      })
      await measure()
      nowMs += 249_000
      await measure()
      expect(runs).toBe(1)
      nowMs += 2_000
      await measure()
      expect(runs).toBe(2)
    } finally {
      clock.mockRestore()
    }
  })

  it('runs again at the next scrape when it has failed', async () => {
    let runs = 0
    const measure = atMostEvery(60_000, async () => {
      if (++runs === 1) throw new Error('the database is unreachable')
    })
    await expect(measure()).rejects.toThrow('unreachable')
    await measure()
    expect(runs).toBe(2)
  })
})
