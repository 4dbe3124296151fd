import { hasLink, hasPhoneNumber, withoutLinks } from './links.js'

const LINKS = [
  'https://evil.example/a',
  'evil-prize.com/x7',
  'Claim your $900: evil-prize.com/x7',
  'holdfast-pay.app',
  'prize.zip',
  'wins.москва',
  'пример.рф',
  'münchen.de',
  'xn--mnchen-3ya.de',
  'evil。com',
  'evil．com',
  'evil｡com',
  'evil․com',
  'e\u200Bvil.c\u200Bom',
  'www.evil',
  'ana@example.com',
  'mailto:ana@example.com',
  'ftp://evil.example',
  '10.0.0.1/login',
  'user:pass@evil.com',
  'EVIL.COM',
  '(evil.co)',
  '_evil.com',
  '…evil.com',
  'a/evil.com',
  'evil.com:443',
  'evil.com🎁',
  'evil.com-',
  '看evil.com',
  '1.2.evil.com',
]
const TEXTS = [
  'J.R.R. Tolkien',
  'St.John',
  'Camera 2.0',
  'Lens f/2.8, 50mm',
  'Ana-Lucía',
  'Node.js course',
  'a. b',
  'Awww',
  '1.250,00 EUR',
  '3:1',
]

describe('a link in a text', () => {
  test.each(LINKS)('is found in %j, and taken apart', text => {
    expect(hasLink(text)).toBe(true)
    expect(hasLink(withoutLinks(text))).toBe(false)
  })

  test.each(TEXTS)('is not found in %j, which stays as it is', text => {
    expect(hasLink(text)).toBe(false)
    expect(withoutLinks(text)).toBe(text)
  })

  test('is taken apart where it stands, and can still be read', () => {
    expect(withoutLinks('A voucher of booking.com, J.R. style')).toBe('A voucher of booking. com, J.R. style')
  })
})

test.each([
  ['call 0800 123 4567', true],
  ['+1 (555) 010-0100', true],
  ['٠٨٠٠١٢٣٤٥', false],
  ['Louis XIV 1638', false],
  ['Ana 3', false],
])('a phone number: %j, %j', (text, has) => {
  expect(hasPhoneNumber(text)).toBe(has)
})
