import http from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { injectFaults } from './faults.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

/** A stand-in of the provider that answers with these statuses, and then always with 200. */
async function providerThatAnswers(statuses) {
  const server = http.createServer((_, answer) => answer.writeHead(statuses.shift() ?? 200).end())
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  undo.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${server.address().port}`
}

/** Kills Redis once. Resolves or rejects when the faults have ended. */
async function killRedis({ kill, start, statuses = [] }) {
  const over = new AbortController()
  const product = {
    sandboxUrl: await providerThatAnswers(statuses),
    engines: { redis: { kill, start } },
    disk: null,
  }
  const random = { oneOf: list => (list.includes('kill an engine') ? 'kill an engine' : list[0]), between: () => 1 }
  return injectFaults(product, random, { signal: over.signal }, () => over.abort())
}

const works = async () => {}
const fails = async () => {
  throw new Error('Redis does not serve')
}

it('faults end when everything was healed', async () => {
  expect(await killRedis({ kill: works, start: works })).toEqual({ 'kill -9': 0, 'kill an engine': 1 })
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
