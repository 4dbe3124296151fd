import { setTimeout as sleep } from 'node:timers/promises'
import { requestContext } from '../telemetry/logging.js'
import { registry } from '../telemetry/metrics.js'
import { batchCalls, MAX_BATCH, MAX_WAITING, REPEATED_FOR_MS } from './batch-calls.js'

describe('calls that share a statement', () => {
  test('are sent together when they arrive while a statement runs, in order and up to a limit', async () => {
    const batches: number[][] = []
    const add = batchCalls('test_sizes', async (items: readonly number[]) => {
      batches.push([...items])
      await sleep(5)
    })
    await Promise.all(Array.from({ length: MAX_BATCH + 2 }, (_, i) => add(i)))
    await add(1000)
    const shown = await registry.metrics()
    expect(shown).toMatch(/^db_batch_calls_sum\{.*batch="test_sizes".*\} 67$/m)
    expect(shown).toMatch(/^db_batch_wait_seconds_count\{.*batch="test_sizes".*\} 3$/m)
    expect(batches.map(batch => batch.length)).toEqual([MAX_BATCH, 2, 1])
    expect(batches.flat()).toEqual([...Array(MAX_BATCH + 2).keys(), 1000])
  })

  test('are repeated one by one when their batch is refused, so that only the invalid item fails', async () => {
    const written: string[] = []
    const add = batchCalls('test', async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('refused')
      written.push(...items)
    })
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(add))
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(written).toEqual(['a', 'b'])
    await expect(add('c')).resolves.toBeUndefined()
  })

  test('are refused when repeating those before them took so long that all later calls would wait', async () => {
    const sent: string[] = []
    let nowMs = performance.now()
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
    const add = batchCalls('test', async (items: readonly string[]) => {
      if (items.length > 1) throw new Error('refused')
      sent.push(...items)
      nowMs += REPEATED_FOR_MS / 2 + 1
    })
    try {
      const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add))
      expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
      expect(outcomes[2]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
      await add('d')
      expect(sent).toEqual(['a', 'b', 'd'])
    } finally {
      clock.mockRestore()
    }
  })

  test('all fail and are not repeated when the outcome of their batch is unknown; the next batch is sent', async () => {
    let batches = 0
    const add = batchCalls('test', async (items: readonly string[]) => {
      batches++
      if (items.includes('a')) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    })
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add))
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(batches).toBe(1)
    await expect(add('d')).resolves.toBeUndefined()
  })

  test('are repeated when PostgreSQL refused their batch for a temporary reason, because it had no effect', async () => {
    const add = batchCalls('test', async (items: readonly string[]) => {
      if (items.includes('locked')) throw Object.assign(new Error('lock'), { code: '55P03', severity: 'ERROR' })
    })
    const outcomes = await Promise.allSettled(['a', 'locked', 'b'].map(add))
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('are refused at once when too many wait, and those that wait are sent', async () => {
    let begin = () => undefined as void
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    let release = () => undefined as void
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let sent = 0
    const add = batchCalls('test', async (items: readonly number[]) => {
      begin()
      await held
      sent += items.length
    })
    const running = add(0)
    await begun
    const waiting = Array.from({ length: MAX_WAITING }, (_, i) => add(i))
    await expect(add(-1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    release()
    await Promise.all([running, ...waiting])
    expect(sent).toBe(MAX_WAITING + 1)
    await expect(add(1)).resolves.toBeUndefined()
  })

  test('are dropped when their caller has left before the first of them was sent', async () => {
    const sent: string[] = []
    const add = batchCalls('test', async (items: readonly string[]) => {
      sent.push(...items)
      await sleep(5)
    })
    let left = false
    const request = () => ({ requestId: 'r', hasCallerLeft: () => left })
    const first = add('first')
    await sleep(1)
    const begun = request()
    await requestContext.run(begun, () => add('begun'))
    const running = add('running')
    await sleep(1)
    const dropped = requestContext.run(request(), () => add('dropped'))
    const goesOn = requestContext.run(begun, () => add('goes on'))
    left = true
    await expect(dropped).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await Promise.all([first, running, goesOn])
    expect(sent).toEqual(['first', 'begun', 'running', 'goes on'])
  })

  test('are not repeated when their caller has left before their batch was refused', async () => {
    const sent: (readonly string[])[] = []
    let left = false
    const add = batchCalls('test', async (items: readonly string[]) => {
      sent.push(items)
      if (items.length === 1) return
      left = true
      throw new Error('refused')
    })
    const gone = requestContext.run({ requestId: 'r', hasCallerLeft: () => left }, () => add('gone'))
    await Promise.all([add('stays'), expect(gone).rejects.toMatchObject({ code: 'UNAVAILABLE' })])
    expect(sent).toEqual([['gone', 'stays'], ['stays']])
  })

  test('get their own outputs, one batch at a time', async () => {
    let out = 0
    let most = 0
    const double = batchCalls('test', async (items: readonly number[]) => {
      most = Math.max(most, ++out)
      await sleep(5)
      out--
      return items.map(item => item * 2)
    })
    const asked = Array.from({ length: 3 * MAX_BATCH }, (_, i) => i)
    expect(await Promise.all(asked.map(double))).toEqual(asked.map(i => i * 2))
    expect(most).toBe(1)
  })
})
