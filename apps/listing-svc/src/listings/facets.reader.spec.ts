import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { eventually } from '@holdfast/testing/eventually'
import { FacetsReader, MAX_COUNTS_WAITING, MAX_COUNTS_WAITING_PER_VIEWER } from './facets.reader.js'
import { COUNTED_AT_MOST } from './list-statement.js'

const by = (viewer: string, left = new AbortController().signal) => ({ viewer, left })

/** A reader of a table whose count is one more at each statement, and the time as the reader knows it. */
function aReader() {
  let atMs = 0
  const clock = new Clock()
  clock.now = () => new Date(atMs)
  let statements = 0
  const query = jest.fn(async () => ({ rows: [{ category: 'Books', condition: 'New', count: ++statements }] }))
  const reader = new FacetsReader({ query } as never, clock)
  const total = async (atSeconds: number) => {
    atMs = atSeconds * 1_000
    return (await reader.count({ q: 'kite' }, by('ana'))).total
  }
  return { reader, total, query }
}

test('counts are answered from memory for ten seconds, then at once and renewed meanwhile, and are never older than a minute', async () => {
  const { total, query } = aReader()
  expect(await total(0)).toBe(1)
  expect(await total(9)).toBe(1)
  expect(query).toHaveBeenCalledTimes(1)
  expect(await Promise.all([total(10), total(10)])).toEqual([1, 1])
  expect(await eventually(async () => (await total(11)) === 2)).toBe(true)
  expect(query).toHaveBeenCalledTimes(2)
  expect(await total(71)).toBe(3)
})

test('a count that cannot be renewed stays until it is a minute old, and then the reader is told', async () => {
  const { total, query } = aReader()
  expect(await total(0)).toBe(1)
  query.mockRejectedValue(new Error('no database'))
  expect(await total(20)).toBe(1)
  expect(await total(59)).toBe(1)
  await expect(total(60)).rejects.toThrow('no database')
  query.mockResolvedValue({ rows: [] })
  expect(await total(60)).toBe(0)
})

test('a search with more matches than are counted one by one gets the number that PostgreSQL expects', async () => {
  const { reader, query } = aReader()
  query.mockResolvedValueOnce({
    rows: [
      { category: 'Books', condition: 'New', count: COUNTED_AT_MOST / 4 },
      { category: 'Art', condition: 'Good', count: (COUNTED_AT_MOST / 4) * 3 },
    ],
  })
  query.mockResolvedValueOnce({ rows: [{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': 40_000 } }] }] } as never)
  expect(await reader.count({ q: 'kite', category: 'Art' }, by('ana'))).toEqual({
    total: 30_000,
    category: [
      { value: 'Books', count: 10_000 },
      { value: 'Art', count: 30_000 },
    ],
    condition: [{ value: 'Good', count: 30_000 }],
  })
})

test('searches are counted one after another, also after one that could not be counted', async () => {
  const { reader, query } = aReader()
  let [running, most] = [0, 0]
  query.mockImplementation(async () => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setImmediate(resolve))
    running--
    return { rows: [{ category: 'Books', condition: 'New', count: 1 }] }
  })
  query.mockRejectedValueOnce(new Error('no database'))
  const searches = ['kite', 'lamp', 'book'].map(q => reader.count({ q }, by('ana')))
  const counted = { status: 'fulfilled', value: { total: 1 } }
  expect(await Promise.allSettled(searches)).toMatchObject([{ status: 'rejected' }, counted, counted])
  expect(most).toBe(1)
})

/** A reader whose first search is being counted until the test says so. */
function aBusyReader() {
  const { reader, query } = aReader()
  let goOn = () => {}
  query.mockImplementationOnce(async () => {
    await new Promise<void>(resolve => (goOn = resolve))
    return { rows: [] }
  })
  const first = reader.count({ minPrice: '1' }, by('someone'))
  const end = () => {
    goOn()
    return first
  }
  return { reader, query, end }
}

test('requests for one search that wait at the same time share one statement', async () => {
  const { reader, query, end } = aBusyReader()
  const both = ['ana', 'ben'].map(viewer => reader.count({ q: 'kite' }, by(viewer)))
  await end()
  expect(await Promise.all(both)).toMatchObject([{ total: 1 }, { total: 1 }])
  expect(query).toHaveBeenCalledTimes(2)
})

test('a viewer for whom many counts wait is refused further ones, and others are not', async () => {
  const { reader, end } = aBusyReader()
  const ask = (viewer: string, minPrice: number) => reader.count({ minPrice: String(minPrice) }, by(viewer))
  const waiting = Array.from({ length: MAX_COUNTS_WAITING_PER_VIEWER }, (_, index) => ask('ana', 2 + index))
  await expect(ask('ana', 100)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const other = ask('ben', 100)
  await end()
  await Promise.all([...waiting, other])
})

test('no more requests wait for counts than may, whoever sends them', async () => {
  const { reader, end } = aBusyReader()
  const ask = (index: number) => reader.count({ minPrice: String(2 + index) }, by(`viewer ${index}`))
  const waiting = Array.from({ length: MAX_COUNTS_WAITING }, (_, index) => ask(index))
  await expect(ask(MAX_COUNTS_WAITING)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await end()
  await Promise.all(waiting)
})

test('a search is not counted for a caller who has left while it waited', async () => {
  const { reader, query, end } = aBusyReader()
  const leaving = new AbortController()
  const left = reader.count({ q: 'kite' }, by('ana', leaving.signal))
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await end()
  expect(query).toHaveBeenCalledTimes(1)
})
