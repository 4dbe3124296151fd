import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CryptoProcessor } from './crypto-processor.js'

const INTENTS = Array.from({ length: 201 }, (_, i) => ({
  id: `intent-${i}`,
  state: 'completed',
  orderId: `payment-${i}`,
  requested: { amount: '101.50', currency: 'USD' },
}))
const server = createServer((request, response) => {
  const query = new URL(request.url!, 'http://localhost').searchParams
  const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
  const isSince = query.get('since') === '2026-11-24T00:00:00.000Z'
  response.end(JSON.stringify({ paymentIntents: isSince ? INTENTS.slice(offset, offset + limit) : [] }))
})
let processor: CryptoProcessor
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  processor = new CryptoProcessor({
    COINIFY_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    COINIFY_API_KEY: 'sandbox_of_a_test',
    COINIFY_WEBHOOK_SECRET: ['a secret of this test'],
  })
})
afterAll(async () => {
  await processor.onApplicationShutdown()
  await new Promise(resolve => server.close(resolve))
})

it('reads every page of the payments since a time', async () => {
  const ids: string[] = []
  for await (const { id } of processor.intentsSince(new Date('2026-11-24T00:00:00Z'))) ids.push(id)
  expect(ids).toEqual(INTENTS.map(({ id }) => id))
})
