import { cardErrors, formatCardNumber, formatCvv, formatExpiry, passesLuhn, readExpiry } from './card-format.js'

const NOW = new Date('2026-11-30T14:00:00.000Z')
const GOOD = { cardNumber: '4242 4242 4242 4242', expiry: '12/28', cvv: '123', name: 'Ben Okafor' }

/** What the field shows after each key. */
const typed = (keys: string) => [...keys].reduce((text, key) => formatExpiry(text + key, text), '')

describe('as it is typed', () => {
  test('a number stands in the groups of the card', () => {
    expect(formatCardNumber('4242424242424242')).toBe('4242 4242 4242 4242')
    expect(formatCardNumber('4242-4242 4')).toBe('4242 4242 4')
    expect(formatCardNumber('378282246310005')).toBe('3782 822463 10005')
    expect(formatCardNumber('no digits')).toBe('')
  })

  test('the slash of the expiry types itself, and a month of one digit gets its zero', () => {
    expect(typed('1228')).toBe('12/28')
    expect(typed('428')).toBe('04/28')
    expect(typed('12/28')).toBe('12/28')
    expect(typed('1/28')).toBe('01/28')
    expect(formatExpiry('12/2028')).toBe('12/20')
  })

  test('the slash does not come back while it is deleted', () => {
    expect(formatExpiry('12/', '12/2')).toBe('12')
    expect(formatExpiry('1', '12')).toBe('1')
  })

  test('a code is three or four digits', () => {
    expect(formatCvv('12a34 5')).toBe('1234')
  })
})

describe('what is wrong with a card', () => {
  test('a good card has nothing', () => {
    expect(cardErrors(GOOD, NOW)).toEqual({})
    expect(cardErrors({ ...GOOD, cardNumber: '3782 822463 10005', cvv: '1234' }, NOW)).toEqual({})
  })

  test('every empty field is named', () => {
    const errors = cardErrors({ cardNumber: '', expiry: '', cvv: '', name: ' ' }, NOW)
    expect(Object.keys(errors)).toEqual(['cardNumber', 'expiry', 'cvv', 'name'])
  })

  test('a mistyped digit is found by the check digit', () => {
    expect(cardErrors({ ...GOOD, cardNumber: '4242 4242 4242 4241' }, NOW).cardNumber).toContain('digit by digit')
    expect(cardErrors({ ...GOOD, cardNumber: '4242' }, NOW).cardNumber).toBe('This card number is too short.')
    expect(passesLuhn('4000002760003184')).toBe(true)
    expect(passesLuhn('')).toBe(false)
  })

  test('a card is good through its last month, and expired afterwards', () => {
    expect(cardErrors({ ...GOOD, expiry: '11/26' }, NOW)).toEqual({})
    expect(cardErrors({ ...GOOD, expiry: '10/26' }, NOW).expiry).toBe('This card has expired. Use another one.')
  })

  test('a month is 01 to 12', () => {
    expect(readExpiry('13/28')).toBeNull()
    expect(readExpiry('00/28')).toBeNull()
    expect(readExpiry('3/28')).toBeNull()
    expect(readExpiry('03/28')).toEqual({ month: 3, year: 2028 })
  })

  test('the code has as many digits as the card’s brand', () => {
    expect(cardErrors({ ...GOOD, cvv: '1234' }, NOW).cvv).toContain('3 digits')
    expect(cardErrors({ ...GOOD, cardNumber: '3782 822463 10005' }, NOW).cvv).toContain('4 digits')
  })
})
