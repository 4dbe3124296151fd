import type { DataSource } from 'typeorm'
import { PeriodicCleanup } from './periodic-cleanup.js'

class Things extends PeriodicCleanup {
  constructor(dataSource: DataSource) {
    super(dataSource, 'things', 'DELETE')
  }
}

describe('a periodic cleanup', () => {
  /** Ends the statements that run, which have deleted this many rows. */
  let answers: ((deleted: number) => void)[]
  let cleanup: Things

  beforeEach(() => {
    jest.useFakeTimers()
    answers = []
    const query = () => new Promise(resolve => answers.push(deleted => resolve([{ deleted }])))
    cleanup = new Things({ query } as unknown as DataSource)
  })
  afterEach(() => void jest.useRealTimers())

  it('begins no pass while one is running', async () => {
    cleanup.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(180_000)
    expect(answers).toHaveLength(1)
    answers[0]!(0)
    await jest.advanceTimersByTimeAsync(60_000)
    expect(answers).toHaveLength(2)
  })

  it('finishes its statement at shutdown, and begins no further one', async () => {
    cleanup.onApplicationBootstrap()
    await jest.advanceTimersByTimeAsync(60_000)
    let isShutDown = false
    const shutdown = Promise.resolve(cleanup.onApplicationShutdown()).then(() => (isShutDown = true))
    await jest.advanceTimersByTimeAsync(0)
    expect(isShutDown).toBe(false)
    answers[0]!(5_000)
    await shutdown
    expect(answers).toHaveLength(1)
  })
})
