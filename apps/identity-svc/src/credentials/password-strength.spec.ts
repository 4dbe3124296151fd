import scoreOf, { type Judged } from './password-score.js'
import { OWN_DATA, TOO_COMMON, weaknessOf } from './password-strength.js'

const ana = { email: 'ana.silva@example.com', firstName: 'Ana', lastName: 'Silva', username: 'ana_s90' }

describe('a new password', () => {
  test.each([
    'password',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'Passw0rd!',
    'sunshine1',
    'aaaaaaaa',
    'x'.repeat(200),
    'holdfast1',
  ])('is refused when it is common: %s', async password => {
    expect(await weaknessOf(password, ana, scoreOf)).toBe(TOO_COMMON)
  })

  test.each(['AnaSilva!', 'silvaana', 'ana.silva@example.com', 'ANA_S90!', 'example.com1'])(
    'is refused when it is made of the person’s own data: %s',
    async password => {
      expect(await weaknessOf(password, ana, scoreOf)).toBe(OWN_DATA)
    },
  )

  test.each(['correct horse battery', 'q7Bz.kL2', 'Ana likes seven old boats', 'holdfast-demo'])(
    'may be %s',
    async password => {
      expect(await weaknessOf(password, ana, scoreOf)).toBeNull()
    },
  )

  test('is judged by its beginning alone, so that a long one takes no longer', async () => {
    const judged: string[] = []
    const remember = ({ password }: Judged) => judged.push(password)
    await weaknessOf('P@ssw0rd'.repeat(25), ana, remember)
    expect(judged).toEqual(['P@ssw0rd'.repeat(4)])
  })

  test('of the person’s own data is refused without a judgement', async () => {
    const judge = jest.fn(scoreOf)
    expect(await weaknessOf('AnaSilva!', ana, judge)).toBe(OWN_DATA)
    expect(judge).not.toHaveBeenCalled()
  })
})
