import { describe, expect, it } from '@jest/globals'
import DataLoader from 'dataloader'
import { oneBatchOut } from './one-batch-out.js'

/** A loader whose batches stay out until they are let go. */
function heldLoader(maxBatchSize = 64) {
  const { schedule, run } = oneBatchOut()
  const out: { ids: readonly number[]; land: (failure?: Error) => void }[] = []
  const load = (ids: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      out.push({ ids, land: failure => (failure ? reject(failure) : resolve([...ids])) })
    })
  const loader = new DataLoader<number, number>(ids => run(() => load(ids)), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: schedule,
  })
  return { loader, out }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

describe('one batch out', () => {
  it('leaves at once with all who came in the same turn', async () => {
    const { loader, out } = heldLoader()
    const all = Promise.all([1, 2, 1].map(id => loader.load(id)))
    await turn()
    expect(out.map(batch => batch.ids)).toEqual([[1, 2, 1]])
    out[0]!.land()
    expect(await all).toEqual([1, 2, 1])
  })

  it('gathers who comes while it is out, and takes them together when it is back', async () => {
    const { loader, out } = heldLoader()
    const first = loader.load(1)
    await turn()
    const later = [loader.load(2)]
    await turn()
    later.push(loader.load(3))
    await turn()
    expect(out).toHaveLength(1)
    out[0]!.land()
    await first
    await turn()
    expect(out[1]!.ids).toEqual([2, 3])
    out[1]!.land()
    expect(await Promise.all(later)).toEqual([2, 3])
  })

  it('is never larger than its limit', async () => {
    const { loader, out } = heldLoader(2)
    const all = Promise.all([1, 2, 3, 4, 5].map(id => loader.load(id)))
    for (let i = 0; i < 3; i++) {
      await turn()
      out[i]!.land()
      await turn()
    }
    expect(await all).toEqual([1, 2, 3, 4, 5])
    expect(out.map(batch => batch.ids)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('that fails lets the next one go', async () => {
    const { loader, out } = heldLoader()
    const first = loader.load(1)
    await turn()
    const second = loader.load(2)
    out[0]!.land(new Error('connection lost'))
    await expect(first).rejects.toThrow('connection lost')
    await turn()
    out[1]!.land()
    expect(await second).toBe(2)
  })
})
