import { isAllowedBy, smsPrefixesOf } from './sms-prefixes.js'

describe('the beginnings of numbers to which texts are sent', () => {
  test.each([
    ['+1,+44', '+15550100100', true],
    ['+1,+44', '+447700900123', true],
    ['+1,+44', '+48600700800', false],
    ['+1, !+1876', '+18765550100', false],
    ['+1,!+1876', '+18775550100', true],
    ['!+1,+1555', '+15550100100', true],
    ['!+1', '+447700900123', false],
  ])('%s decides about %s: %s', (list, number, isAllowed) => {
    expect(isAllowedBy(smsPrefixesOf(list)!, number)).toBe(isAllowed)
  })

  test.each(['', '1', '+', '+1,', '+1;+44', '!1', 'US'])('cannot be read from %j', list => {
    expect(smsPrefixesOf(list)).toBeNull()
  })
})
