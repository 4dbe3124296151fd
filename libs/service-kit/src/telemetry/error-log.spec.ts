import { QueryFailedError } from 'typeorm'
import { describeError } from './error-log.js'

describe('describeError', () => {
  test("leaves out a statement's parameters and rows", () => {
    const driver = Object.assign(new Error('duplicate key value violates unique constraint "user_email"'), {
      code: '23505',
      constraint: 'user_email',
      detail: 'Key (email)=(ana@example.com) already exists.',
    })
    const described = describeError(
      new QueryFailedError('insert into account values ($1)', ['ana@example.com'], driver),
    )
    expect(described).toMatchObject({ type: 'QueryFailedError', code: '23505', constraint: 'user_email' })
    expect(JSON.stringify(described)).not.toContain('ana@example.com')
  })

  test('follows a limited number of causes', () => {
    const loop = new Error('outer', { cause: new Error('inner') })
    expect(describeError(loop).cause).toMatchObject({ message: 'inner' })
    loop.cause = loop
    expect(JSON.stringify(describeError(loop)).length).toBeLessThan(20_000)
  })

  test('describes thrown values that are not errors', () => {
    expect(describeError('text')).toMatchObject({ type: 'string', message: 'text' })
    expect(describeError(undefined)).toMatchObject({ message: 'undefined' })
  })
})
