import { hashOfRecoveryCode, newRecoveryCode } from './recovery-codes.js'

describe('a recovery code', () => {
  test('has four groups of four letters and digits that cannot be mistaken for each other', () => {
    for (let i = 0; i < 100; i++)
      expect(newRecoveryCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  test('is another one each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, newRecoveryCode)).size).toBe(1_000)
  })

  test('is recognised in small letters, without hyphens, and with O and I in place of digits', () => {
    const hash = hashOfRecoveryCode('01AB-CDEF-GHJK-MNPQ', 'ana')
    expect(hashOfRecoveryCode(' oiab cdefghjk-mnpq ', 'ana')).toEqual(hash)
    expect(hashOfRecoveryCode('01AB-CDEF-GHJK-MNPR', 'ana')).not.toEqual(hash)
  })

  test('has another hash for another user', () => {
    expect(hashOfRecoveryCode('01AB-CDEF-GHJK-MNPQ', 'ana')).not.toEqual(
      hashOfRecoveryCode('01AB-CDEF-GHJK-MNPQ', 'ben'),
    )
  })
})
