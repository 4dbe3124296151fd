import { challengeIn, userHandleOf } from './client-data.js'

const encoded = (text: string) => Buffer.from(text).toString('base64url')

describe('the challenge in what a browser says', () => {
  test('is read', () => expect(challengeIn(encoded('{"type":"webauthn.get","challenge":"abc"}'))).toBe('abc'))

  test.each(['', 'no JSON', 'null', '[]', '{}', '{"challenge":7}'])('is null in %j', text => {
    expect(challengeIn(encoded(text))).toBeNull()
  })
})

test('a user handle is the sixteen bytes of the id', () => {
  expect(Buffer.from(userHandleOf('0199aabb-ccdd-7eef-8011-223344556677')).toString('hex')).toBe(
    '0199aabbccdd7eef8011223344556677',
  )
})
