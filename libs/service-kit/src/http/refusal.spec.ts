import { ERROR_STATUS } from '@holdfast/contracts/errors'
import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { DomainError } from '@holdfast/kernel/errors'
import { NotFoundException } from '@nestjs/common'
import { QueryFailedError } from 'typeorm'
import { ForeignCaller } from '../auth/admission.js'
import { refusalOf, refusalOfRead } from './refusal.js'

const withCode = (code: string, message = 'secret detail') => Object.assign(new Error(message), { code })
const upstream = (status: number, code: string) =>
  new ApiError({ status, code, serverMessage: 'Their words', details: { a: 1 }, requestId: 'r' })

describe('refusalOf', () => {
  test('answers a DomainError with its code, message and details', () => {
    const refusal = refusalOf(new DomainError('ESCROW_WRONG_STATE', { from: 'pending' }))
    expect(refusal).toMatchObject({
      status: 409,
      code: 'ESCROW_WRONG_STATE',
      details: { from: 'pending' },
      fault: false,
    })
  })

  test('answers an unexpected error as INTERNAL, without its details', () => {
    for (const thrown of [new Error('the password is hunter2'), 'text', null, undefined, 0, { status: 404 }]) {
      const refusal = refusalOf(thrown)
      expect(refusal).toMatchObject({ status: 500, code: 'INTERNAL', details: null, fault: true })
      expect(JSON.stringify(refusal)).not.toContain('hunter2')
    }
  })

  test("ignores the status of another library's error", () => {
    expect(refusalOf(Object.assign(new Error('card declined'), { statusCode: 402 }))).toMatchObject({ status: 500 })
  })

  test('uses the status of errors of Nest and Fastify', () => {
    expect(refusalOf(new NotFoundException('Cannot GET /x'))).toMatchObject({
      code: 'NOT_FOUND',
      message: 'Not found.',
    })
    const tooLarge = Object.assign(withCode('FST_ERR_CTP_BODY_TOO_LARGE'), { statusCode: 413 })
    expect(refusalOf(tooLarge)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  })

  test.each(['08006', '57P01', 'ECONNRESET', 'ETIMEDOUT'])(
    'answers 503 with an unknown outcome when a connection to the database is lost (%s), also through TypeORM',
    code => {
      const unknown = { status: 503, code: 'UNAVAILABLE', details: { outcome: 'unknown' }, fault: true }
      expect(refusalOf(withCode(code))).toMatchObject(unknown)
      expect(refusalOf(new QueryFailedError('select 1', [], withCode(code)))).toMatchObject(unknown)
    },
  )

  test('answers 503 with an unknown outcome when pg lost a connection and gives no code', () => {
    for (const message of ['Connection terminated unexpectedly', 'Query read timeout'])
      expect(refusalOf(new Error(message))).toMatchObject({ status: 503, details: { outcome: 'unknown' } })
  })

  test.each(['28000', '57P03', '53300', '57014', 'ECONNREFUSED', 'EAI_AGAIN'])(
    'answers 503 when the database cannot be reached (%s), also through TypeORM',
    code => {
      expect(refusalOf(withCode(code))).toMatchObject({ status: 503, code: 'UNAVAILABLE', details: null })
      expect(refusalOf(new QueryFailedError('select 1', [], withCode(code)))).toMatchObject({ status: 503 })
    },
  )

  test('answers 503 for errors of pg that have no code', () => {
    for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
      expect(refusalOf(new Error(message))).toMatchObject({ status: 503 })
    }
    expect(refusalOf(new AggregateError([withCode('ECONNREFUSED')]))).toMatchObject({ status: 503 })
  })

  test('answers 503 with a known outcome when pg could not connect in time: nothing was sent', () => {
    const refusal = refusalOf(new Error('Connection terminated due to connection timeout'))
    expect(refusal).toMatchObject({ status: 503, code: 'UNAVAILABLE', details: null })
  })

  test('answers 409 for a deadlock and 500 for a violated constraint', () => {
    expect(refusalOf(withCode('40P01'))).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(refusalOf(withCode('23505'))).toMatchObject({ status: 500, fault: true })
  })

  test("passes on another service's refusal of the user's request", () => {
    const refusal = refusalOf(upstream(404, 'LISTING_NOT_FOUND'))
    expect(refusal).toMatchObject({ status: 404, code: 'LISTING_NOT_FOUND', message: 'Their words', details: { a: 1 } })
  })

  test("passes on that the user's session has ended meanwhile", () => {
    const refusal = refusalOf(upstream(401, 'UNAUTHENTICATED'))
    expect(refusal).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', fault: false })
  })

  test('does not sign the user out when another service refuses our signature', () => {
    const { code } = new ForeignCaller()
    expect(refusalOf(upstream(ERROR_STATUS[code], code))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })

  test('does not pass on what is no refusal of the contracts', () => {
    expect(refusalOf(upstream(401, 'TEAPOT'))).toMatchObject({ status: 500, fault: true })
    expect(refusalOf(upstream(500, 'INTERNAL'))).toMatchObject({ status: 500, fault: true })
    expect(refusalOf(upstream(418, 'TEAPOT'))).toMatchObject({ status: 500, fault: true })
  })

  test('answers 503 when another service does not answer', () => {
    expect(refusalOf(upstream(503, 'UNAVAILABLE'))).toMatchObject({ status: 503, code: 'UNAVAILABLE', details: null })
  })

  test('passes on that another service does not know, or that its answer was lost', () => {
    const unsure = new ApiError({
      status: 503,
      code: 'UNAVAILABLE',
      serverMessage: 'Their words',
      details: { outcome: 'unknown' },
      requestId: 'r',
    })
    expect(refusalOf(unsure)).toMatchObject({ status: 503, details: { outcome: 'unknown' } })
    expect(refusalOf(new ConnectionError('no answer'))).toMatchObject({ status: 503, details: { outcome: 'unknown' } })
  })
})

test('the outcome of a read is never unknown, whichever way its answer was lost', () => {
  const lost = new ConnectionError('no answer')
  expect(refusalOf(lost)).toMatchObject({ status: 503, details: { outcome: 'unknown' } })
  expect(refusalOfRead(lost)).toMatchObject({ status: 503, code: 'UNAVAILABLE', details: null, fault: true })
  expect(refusalOfRead(upstream(404, 'NOT_FOUND'))).toEqual(refusalOf(upstream(404, 'NOT_FOUND')))
})
