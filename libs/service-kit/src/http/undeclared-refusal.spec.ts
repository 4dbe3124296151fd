import { route } from '@holdfast/contracts/route'
import { DomainError, type ErrorCode } from '@holdfast/kernel/errors'
import { z } from 'zod'
import { ForeignCaller } from '../auth/admission.js'
import { refusalOf } from './refusal.js'
import { findUndeclared } from './undeclared-refusal.js'

const cancel = route({
  method: 'DELETE',
  path: '/api/things/{id}',
  access: 'user',
  summary: 'Cancels',
  params: z.object({ id: z.string() }),
  errors: ['ESCROW_WRONG_STATE'],
})
const found = (error: DomainError) => findUndeclared(cancel, error, refusalOf(error))

describe('a refusal', () => {
  test.each<ErrorCode>(['ESCROW_WRONG_STATE', 'NOT_FOUND', 'UNAUTHENTICATED', 'CONFLICT', 'INTERNAL', 'UNAVAILABLE'])(
    'with %s is declared, or follows from the route’s method, access and input',
    code => expect(found(new DomainError(code))).toBeNull(),
  )

  test.each<ErrorCode>(['FORBIDDEN', 'RATE_LIMITED', 'PAYMENT_IN_PROGRESS'])('with %s is not declared', code => {
    const error = new DomainError(code)
    expect(found(error)).toMatchObject({ message: expect.stringContaining(code), cause: error })
  })

  test('of an invalid signature needs no declaration', () => {
    expect(found(new ForeignCaller())).toBeNull()
  })
})
