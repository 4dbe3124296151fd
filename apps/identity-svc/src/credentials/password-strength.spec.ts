import { describe, expect, test } from 'vitest'
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
  ])('is refused when it is common: %s', password => {
    expect(weaknessOf(password, ana)).toBe(TOO_COMMON)
  })

  test.each(['AnaSilva!', 'silvaana', 'ana.silva@example.com', 'ANA_S90!', 'example.com1'])(
    'is refused when it is made of the person’s own data: %s',
    password => {
      expect(weaknessOf(password, ana)).toBe(OWN_DATA)
    },
  )

  test.each(['correct horse battery', 'q7Bz.kL2', 'Ana likes seven old boats', 'holdfast-demo'])(
    'may be %s',
    password => {
      expect(weaknessOf(password, ana)).toBeNull()
    },
  )

  test('is judged in a short time, however long it is', () => {
    const begun = performance.now()
    weaknessOf('4@8({[<369&#!1/|0$5+7%2/'.repeat(8), ana)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
