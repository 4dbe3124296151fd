import { personOf } from './provider-person.js'

const ANA = { iss: 'https://provider.example', sub: '1', email: 'ana@firm.example', given_name: 'Ana' }

test.each([
  ['Gmail', { email: 'ana@gmail.com' }, true],
  ['Gmail, by its name in some countries', { email: 'Ana@GoogleMail.com' }, true],
  ['an organization at Google', { hd: 'firm.example' }, true],
  ['another company, which Google verified once', {}, false],
  ['another company with no domain', { hd: '' }, false],
  ['a domain that ends like Gmail', { email: 'ana@notgmail.com' }, false],
  ['a domain that begins like Gmail', { email: 'ana@gmail.com.example' }, false],
])('Google and an address of %s', (_, claims, isAuthoritative) => {
  expect(personOf('google', { ...ANA, email_verified: true, ...claims })).toMatchObject({ isAuthoritative })
})

test.each([
  [true, 'ana@firm.example'],
  ['true', 'ana@firm.example'],
  [false, null],
  ['false', null],
  [undefined, null],
])('email_verified of Apple is %j: the verified address is %j', (email_verified, verifiedEmail) => {
  expect(personOf('apple', { ...ANA, email_verified })).toMatchObject({ verifiedEmail })
})

test.each([
  [{ xms_edov: true }, 'ana@firm.example'],
  [{ xms_edov: 'true' }, 'ana@firm.example'],
  [{ xms_edov: 1 }, 'ana@firm.example'],
  [{ xms_edov: '1' }, 'ana@firm.example'],
  [{ xms_edov: false }, null],
  [{ xms_edov: '0' }, null],
  [{}, null],
  [{ email_verified: true }, null],
])('Microsoft says %j: the verified address is %j', (claims, verifiedEmail) => {
  expect(personOf('microsoft', { ...ANA, ...claims })).toMatchObject({ verifiedEmail })
})

test.each([
  ['an organization', { tid: '0b6f6a3e-5d0c-4a7d-9a52-0d7e4b1f3c11' }, true],
  ['a personal account', { tid: '9188040d-6c67-4c5b-b112-5b66bc4c2dda' }, false],
  ['no directory', {}, false],
])('Microsoft and an address of %s', (_, claims, isAuthoritative) => {
  expect(personOf('microsoft', { ...ANA, xms_edov: true, ...claims })).toMatchObject({ isAuthoritative })
})

test.each([
  ['ana@icloud.com', true],
  ['Ana@Me.com', true],
  ['ana@mac.com', true],
  ['x1y2@privaterelay.appleid.com', true],
  ['ana@firm.example', false],
  ['ana@gmail.com', false],
  ['ana@home.com', false],
  ['ana@icloud.com.example', false],
])('Apple and the address %s', (email, isAuthoritative) => {
  expect(personOf('apple', { ...ANA, email_verified: true, email })).toMatchObject({ isAuthoritative })
})
