import { untilDatabaseAnswers } from './database-wait.js'

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe('waiting for a database', () => {
  test('ends when the database answers', async () => {
    let asked = 0
    const answer = await untilDatabaseAnswers(async () => {
      asked++
      if (asked === 1) throw refused
      return 'here'
    })
    expect([answer, asked]).toEqual(['here', 2])
  })

  test('ends at its time limit', async () => {
    await expect(untilDatabaseAnswers(() => Promise.reject(refused), 500)).rejects.toBe(refused)
  })

  test.each([
    ['a fault of ours', new Error('a bug')],
    ['a login that is refused', Object.assign(new Error('no'), { code: '28P01' })],
    ['a pool that we ended', new Error('Cannot use a pool after calling end on the pool')],
  ])('does not happen for %s', async (_, error) => {
    let asked = 0
    const ask = () => {
      asked++
      return Promise.reject(error)
    }
    await expect(untilDatabaseAnswers(ask)).rejects.toBe(error)
    expect(asked).toBe(1)
  })
})
