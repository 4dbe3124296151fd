import { e164Of } from './sms.js'

test.each([
  ['+1 (555) 010-0100', '+15550100100'],
  ['+351 912 345 678', '+351912345678'],
  ['555 0100', null],
  ['001 555 010 0100', null],
  ['+0 555 010 0100', null],
  ['+1 555', null],
  ['+1234567890123456', null],
  [null, null],
])('%j is %j', (typed, number) => {
  expect(e164Of(typed)).toBe(number)
})
