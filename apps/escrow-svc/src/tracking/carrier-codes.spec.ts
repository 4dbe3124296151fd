import { carrierCode } from './carrier-codes.js'

describe('the name of a carrier', () => {
  it.each([
    ['ups', 'UPS'],
    ['U.P.S.', 'UPS'],
    [' Fed Ex ', 'FedEx'],
    ['fed-ex', 'FedEx'],
    ['USPS', 'USPS'],
    ['DHL Express', 'DHLExpress'],
    ['DHL Paket', 'DHLPaket'],
    ['Royal mail', 'RoyalMail'],
  ])('%j becomes the code %s', (name, code) => expect(carrierCode(name)).toBe(code))

  it.each(['DHL', 'my brother', 'constructor', ''])('%j has no code', name => expect(carrierCode(name)).toBeNull())
})
