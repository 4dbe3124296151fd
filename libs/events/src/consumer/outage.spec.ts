import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { DomainError } from '@holdfast/kernel/errors'
import { PoisonEventError, UnknownTypeError } from '../transport.js'
import { HandlerTimeoutError } from './handling.js'
import { isOutage } from './outage.js'

const ofDatabase = (code: string): Error => Object.assign(new Error('refused'), { code })
const ofService = (status: number, code: string): ApiError =>
  new ApiError({ status, code, serverMessage: '', details: null, requestId: null })

it.each([
  ['the database cannot be reached', ofDatabase('ECONNREFUSED')],
  ['the database has no free connection', ofDatabase('53300')],
  ['the database is starting', ofDatabase('57P03')],
  ['two dbTx blocked each other', ofDatabase('40P01')],
  ['PostgreSQL could not put two dbTx in an order', ofDatabase('40001')],
  ['the pool has no free connection', new Error('timeout exceeded when trying to connect')],
  ['another service gave no answer', new ConnectionError('reset')],
  ['another service is not available', ofService(503, 'UNAVAILABLE')],
  ['another service gets too many requests', ofService(429, 'RATE_LIMITED')],
  ['the payment provider cannot be reached', new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')],
  ['the type is that of a newer release', new UnknownTypeError('unknown')],
  ['the handler took too long', new HandlerTimeoutError('not handled')],
])('waits and makes no dead letter when %s', (_, error) => {
  expect(isOutage(error)).toBe(true)
})

it.each([
  ['the payload is invalid', new PoisonEventError('invalid')],
  ['a constraint is violated', ofDatabase('23514')],
  ['the handler has a fault', new TypeError('undefined is not a function')],
  ['a rule refuses the command', new DomainError('ESCROW_WRONG_STATE')],
  ['what the event says does not fit the deal', new DomainError('CONFLICT', { disputeId: null })],
  ['the handler has lost a version race too often', new DomainError('CONFLICT')],
  ['another service says that the request does not fit', ofService(409, 'CONFLICT')],
  ['another service refuses the request', ofService(422, 'VALIDATION_FAILED')],
  ['another service has a fault', ofService(500, 'INTERNAL')],
])('counts the attempt as failed when %s', (_, error) => {
  expect(isOutage(error)).toBe(false)
})
