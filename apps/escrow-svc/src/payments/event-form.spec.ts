import { checkEventForm } from './event-form.js'

const event = (changes: object = {}, object: object = {}) => ({
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', amount_received: 12_740, currency: 'usd', ...object } },
  ...changes,
})

const REFUND = { id: 're_1', amount: 12_740, currency: 'usd', payment_intent: 'pi_1', status: 'succeeded' }
const CHARGEBACK = { id: 'dp_1', amount: 12_740, currency: 'usd', payment_intent: 'pi_1', status: 'needs_response' }

describe('the form of a signed event', () => {
  it('is checked for the fields that we store, and further fields do not matter', () => {
    expect(() => checkEventForm(event({ api_version: '2026-08-26.dahlia' }, { further: 1 }))).not.toThrow()
  })

  it.each([
    ['a NUL in its id', event({ id: 'evt_\0' })],
    ['no id', event({ id: null })],
    ['an empty id', event({ id: '' })],
    ['an id that is too long', event({ id: 'e'.repeat(256) })],
    ['a NUL in the id of its intent', event({}, { id: 'pi_\0' })],
    ['no id of its intent', event({}, { id: null })],
    ['an amount of 0', event({}, { amount_received: 0 })],
    ['a negative amount', event({}, { amount_received: -1 })],
    ['an amount with a fraction', event({}, { amount_received: 1.5 })],
    ['no data', event({ data: null })],
    ['a refund without an id', { id: 'evt_1', type: 'refund.updated', data: { object: { id: null } } }],
    ['a refund of 0', { id: 'evt_1', type: 'refund.updated', data: { object: { ...REFUND, amount: 0 } } }],
    [
      'a refund of a negative amount',
      { id: 'evt_1', type: 'refund.failed', data: { object: { ...REFUND, amount: -1 } } },
    ],
    [
      'a chargeback of 0',
      { id: 'evt_1', type: 'charge.dispute.created', data: { object: { ...CHARGEBACK, amount: 0 } } },
    ],
    [
      'a chargeback of a negative amount',
      { id: 'evt_1', type: 'charge.dispute.closed', data: { object: { ...CHARGEBACK, amount: -500 } } },
    ],
    ['a chargeback without a time', { id: 'evt_1', type: 'charge.dispute.updated', data: { object: CHARGEBACK } }],
    [
      'a chargeback with an id that is too long',
      { id: 'evt_1', type: 'charge.dispute.updated', data: { object: { ...CHARGEBACK, id: 'd'.repeat(256) } } },
    ],
    ['half a surrogate pair in its metadata', event({}, { metadata: { payment_id: '\uD800' } })],
  ])('is refused with %s', (_, malformed) => {
    expect(() => checkEventForm(malformed)).toThrow()
  })

  it('allows refunds and chargebacks of an amount', () => {
    for (const type of ['refund.created', 'refund.updated', 'refund.failed'])
      expect(() => checkEventForm({ id: 'evt_1', type, data: { object: REFUND } })).not.toThrow()
    for (const type of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'])
      expect(() =>
        checkEventForm({ id: 'evt_1', created: 1, type: `charge.dispute.${type}`, data: { object: CHARGEBACK } }),
      ).not.toThrow()
  })

  it('allows nothing received for an intent that was declined or cancelled', () => {
    for (const type of ['payment_intent.payment_failed', 'payment_intent.canceled'])
      expect(() => checkEventForm(event({ type }, { amount_received: 0 }))).not.toThrow()
  })

  it('is not checked further for an event of another kind', () => {
    expect(() => checkEventForm({ id: 'evt_1', type: 'customer.created', data: {} })).not.toThrow()
  })
})
