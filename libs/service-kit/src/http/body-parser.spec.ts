import type { RouteDefinition } from '@holdfast/contracts/route'
import { parseBody } from './body-parser.js'

const route: RouteDefinition = {
  method: 'POST',
  path: '/api/webhooks/form',
  access: 'public',
  summary: '',
  handling: 'raw',
  maxFormFields: 3,
}
const FORM = 'application/x-www-form-urlencoded'

test('the bytes of a form go to a raw route unparsed, up to its number of fields', () => {
  const body = Buffer.from('a=1&b=2&c=3')
  expect(parseBody(route, FORM, body)).toBe(body)
})

test('a form with more fields is refused before anything parses it, whatever its type says, and also when its fields are empty', () => {
  for (const form of ['a=1&b=2&c=3&d=4', '&&&'])
    for (const type of [FORM, 'text/plain', undefined])
      expect(() => parseBody(route, type, Buffer.from(form))).toThrow(
        expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
      )
})
