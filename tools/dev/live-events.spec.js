import http from 'node:http'
import { listen } from './listen.js'

/** A stream of one event, which breaks a moment later. */
const server = http.createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: {"n":1}\n\n')
  setTimeout(() => response.destroy(), 50)
})
let LiveEvents

beforeAll(async () => {
  const address = `http://127.0.0.1:${await listen(server)}`
  const before = { ...process.env }
  Object.assign(process.env, { BASE_URL: address, SANDBOX_URL: address, DAY_SECONDS: '90' })
  const module = await import('../../e2e/support/live-events.js')
  LiveEvents = module.LiveEvents
  process.env = before
})

afterAll(() => void server.close())

it('a journey that waits for a live event fails with the reason when the stream breaks', async () => {
  const live = await LiveEvents.of({ cookie: '' })
  expect(await live.receives('the first event', ({ n }) => n === 1)).toEqual({ n: 1 })
  await expect(live.receives('the second event', ({ n }) => n === 2)).rejects.toThrow('terminated')
})
