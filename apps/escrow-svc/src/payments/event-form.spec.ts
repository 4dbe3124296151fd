import { describe, expect, it } from '@jest/globals'
import { checkEventForm } from './event-form.js'

const event = (changes: object = {}, object: object = {}) => ({
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', amount_received: 12_740, currency: 'usd', ...object } },
  ...changes,
})

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
    ['half a surrogate pair in its metadata', event({}, { metadata: { payment_id: '\uD800' } })],
  ])('is refused with %s', (_, malformed) => {
    expect(() => checkEventForm(malformed)).toThrow()
  })

  it('allows nothing received for an intent that was declined or cancelled', () => {
    for (const type of ['payment_intent.payment_failed', 'payment_intent.canceled'])
      expect(() => checkEventForm(event({ type }, { amount_received: 0 }))).not.toThrow()
  })

  it('is not checked further for an event of another kind', () => {
    expect(() => checkEventForm({ id: 'evt_1', type: 'customer.created', data: {} })).not.toThrow()
  })
})
