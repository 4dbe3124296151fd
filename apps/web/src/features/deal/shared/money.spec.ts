import { deal } from '../../../../test/deals.js'
import { ownAmount } from './money.js'

const UNPAID = { held: '0.00', released: '0.00', refunded: '0.00' }
const HELD = { ...UNPAID, held: '107.00' }
const RELEASED = { ...UNPAID, released: '98.50' }
const DIVIDED = { ...UNPAID, released: '59.10', refunded: '40.01' }
const REFUNDED = { ...UNPAID, refunded: '107.00' }
const own = (viewerRole: 'buyer' | 'seller', money: Partial<ReturnType<typeof deal>['money']>) => {
  const { label, amount } = ownAmount(deal({ viewerRole, money: { ...deal().money, ...money } }))
  return `${label} ${amount}`
}

describe('the viewer’s own amount', () => {
  test('is what the buyer pays or paid, never what the seller gets', () => {
    expect(own('buyer', UNPAID)).toBe('You pay 107.00')
    expect(own('buyer', HELD)).toBe('You paid 107.00')
    expect(own('buyer', RELEASED)).toBe('You paid 107.00')
  })

  test('is what the seller gets or got, never what the buyer pays', () => {
    expect(own('seller', UNPAID)).toBe('You receive 98.50')
    expect(own('seller', HELD)).toBe('You receive 98.50')
    expect(own('seller', RELEASED)).toBe('You received 98.50')
  })

  test('counts a refund as the dashboard’s totals do', () => {
    expect(own('buyer', DIVIDED)).toBe('You paid, after the refund 66.99')
    expect(own('seller', DIVIDED)).toBe('You received 59.10')
    expect(own('buyer', REFUNDED)).toBe('You paid, after the refund 0.00')
    expect(own('buyer', { ...UNPAID, chargedBack: '107.00' })).toBe('You paid, after the chargeback 0.00')
    expect(own('buyer', { ...UNPAID, refunded: '40.00', chargedBack: '60.00' })).toBe(
      'You paid, after what came back 7.00',
    )
    expect(own('seller', REFUNDED)).toBe('You received 0.00')
  })
})
