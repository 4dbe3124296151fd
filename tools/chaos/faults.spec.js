import http from 'node:http'
import { listen } from '../dev/listen.js'
import { randomFrom } from '../dev/random.js'
import { absentKinds, impossibleKinds, injectFaults } from './faults.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** A stand-in of the provider that answers with these statuses, and then always with 200. */
async function providerThatAnswers(statuses) {
  const server = http.createServer((_, answer) => answer.writeHead(statuses.shift() ?? 200).end())
  const port = await listen(server)
  undo.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${port}`
}

/** A product of which nothing is there. */
const NOTHING = {
  dataDir: '/nowhere',
  clocks: '/nowhere',
  database: { query: () => Promise.reject(new Error('there is no database')) },
  engines: {},
  links: {},
  disk: null,
}

/**
 * Kills Redis once. Resolves or rejects when the faults have ended.
 *
 * @param {{ kill: () => Promise<void>, start: () => Promise<void>, statuses?: number[] }} redis
 */
async function killRedis({ kill, start, statuses = [] }) {
  const over = new AbortController()
  const product = {
    sandboxUrl: await providerThatAnswers(statuses),
    ...NOTHING,
    engines: { redis: { kill, start } },
  }
  const first = 'kill an engine'
  const random = { oneOf: list => list[0], between: () => 1, shuffled: list => [first, ...list] }
  return injectFaults(product, random, { signal: over.signal }, () => over.abort())
}

const works = async () => {}
const fails = async () => {
  throw new Error('Redis does not serve')
}

it('faults end when everything was healed', async () => {
  expect(await killRedis({ kill: works, start: works })).toMatchObject({ 'kill -9': 0, 'kill an engine': 1 })
})

it('what could not be begun or healed ends the run with its error, after everything else was healed', async () => {
  await expect(killRedis({ kill: works, start: fails })).rejects.toThrow('Redis does not serve')
  await expect(killRedis({ kill: fails, start: works })).rejects.toThrow('Redis does not serve')
})

it('a provider that cannot be told to end its faults is told again', async () => {
  const statuses = [503, 200, 503]
  expect(await killRedis({ kill: works, start: works, statuses })).toMatchObject({ 'kill an engine': 1 })
  expect(statuses).toEqual([])
})

/** Injects faults into a product without processes, where `links` can be cut, until `count` were done or tried. Answers their kinds, too. */
async function injectSome(count, links) {
  const over = new AbortController()
  const product = {
    ...NOTHING,
    sandboxUrl: await providerThatAnswers([]),
    database: { query: async () => ({ rowCount: 1, rows: [{ consumer_group: 'messaging', topic: 'escrow.deal' }] }) },
    links,
  }
  const kinds = []
  const note = line => {
    if (kinds.push(line.split(':')[0]) === count) over.abort()
  }
  const random = { ...randomFrom(7), between: () => 1 }
  return { kinds, counts: await injectFaults(product, random, { signal: over.signal }, note) }
}

it('each kind comes once before others are drawn, and what could not be done is tried again after the others', async () => {
  const { kinds, counts } = await injectSome(60, { postgres: { cut() {}, mend() {} } })
  expect(counts).toMatchObject({
    'end the connections': 1,
    'cut a network': 1,
    'redeliver a topic': 1,
    'fail at the provider': 1,
    'disturb webhooks': 1,
    'kill -9': 0,
  })
  expect(kinds.filter(kind => kind === 'kill -9').length).toBeGreaterThan(1)
})

it('a run knows which kinds did not happen, and which are not possible here', async () => {
  const { counts } = await injectSome(40, {})
  expect(absentKinds(counts)).toEqual(expect.arrayContaining(['kill -9', 'cut a network']))
  expect(absentKinds(counts)).not.toContain('disturb webhooks')
  const engines = ['kill an engine', 'pause an engine', 'flush Redis']
  expect(impossibleKinds(counts)).toEqual(expect.arrayContaining(['fill the disk', ...engines]))
  expect(impossibleKinds({ ...counts, 'fill the disk': 0 })).not.toContain('fill the disk')
})
