import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { STRIPE_API_VERSION } from '../provider/stripe-calls.js'
import { resendEvents } from './resend-events.js'

const SECRET = 'whsec_of_a_test'
const stripe = new Stripe('sk_test_of_a_test')
const received: Stripe.Event[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const signature = request.headers['stripe-signature'] as string
  const event = stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, SECRET)
  received.push(event)
  response.writeHead(event.id === 'evt_refused' ? 503 : 200).end()
})
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise(resolve => server.close(resolve)))

const event = (id: string, type: string, version = STRIPE_API_VERSION) =>
  ({ id, type, api_version: version }) as Stripe.Event

it('sends the events that are read, signed and the oldest first, and says which were not accepted', async () => {
  // Stripe lists the newest first.
  const pages = [
    [
      event('evt_2', 'refund.created'),
      event('evt_repetition', 'charge.succeeded'),
      event('evt_1', 'payment_intent.succeeded'),
    ],
    [event('evt_other_form', 'refund.created', '2020-08-27'), event('evt_refused', 'refund.updated')],
  ]
  jest.spyOn(stripe.events, 'list').mockImplementation(() => (pages.shift() ?? []) as never)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { accepted, refused } = await resendEvents(stripe, new Date(Date.now() - 100 * 60_000), { url, secret: SECRET })
  expect(received.map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_refused'])
  expect(accepted).toBe(2)
  expect(refused).toEqual([
    'evt_refused refund.updated: the service answered 503',
    'evt_other_form refund.created: it has the form of the API version 2020-08-27: resend it in the provider’s dashboard',
  ])
})
