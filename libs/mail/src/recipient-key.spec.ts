import { recipientKey } from './recipient-key.js'

describe('the key of a mailbox', () => {
  it.each([
    ['ana@example.com', 'Ana@Example.com'],
    ['ana@example.com', 'ana+shop@example.com'],
    ['anabell@gmail.com', 'a.na.bell+shop@gmail.com'],
    ['anabell@gmail.com', 'Ana.Bell@googlemail.com'],
  ])('is the same for %s and %s', (one, other) => {
    expect(recipientKey(other)).toBe(recipientKey(one))
  })

  it.each([
    ['ana@example.com', 'ben@example.com'],
    ['ana@example.com', 'ana@example.org'],
    // Other providers tell them apart.
    ['anabell@example.com', 'ana.bell@example.com'],
  ])('differs for %s and %s', (one, other) => {
    expect(recipientKey(other)).not.toBe(recipientKey(one))
  })

  it('does not show the address', () => {
    expect(recipientKey('ana@example.com')).toMatch(/^[\w-]{43}$/)
  })
})
