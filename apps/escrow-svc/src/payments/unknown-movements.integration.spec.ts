import { SECRETS } from '../../test/dependencies.js'
import { makeMovements } from '../../test/provider-movements.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { stripeClient } from '../provider/stripe-calls.js'
import { lineOf, sumLines, unknownMovements } from './unknown-movements.js'

const HOUR_MS = 3_600_000

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

async function unknown() {
  const stripe = stripeClient({ STRIPE_API_URL: escrow.dependencies.origin, ...SECRETS })
  const client = await escrow.database.admin.connect()
  try {
    return await unknownMovements(stripe, client, new Date(Date.now() - HOUR_MS))
  } finally {
    client.release()
  }
}

test('movements of every kind are known when they are booked, and printed with their account when they are not', async () => {
  const seller = await new SellerPayouts(escrow).seller()
  const payoutId = await makeMovements(escrow, seller)
  await escrow.dependencies.control('/platform-movements', { amount: -2500, type: 'stripe_fee' })
  expect(await unknown()).toEqual([])

  const { intent, totalMinor } = await escrow.paidAtProvider()
  await escrow.dependencies.control(`/payments/${intent}/refund`, { amount: 100 })
  await escrow.database.admin.query(`UPDATE escrow.payout SET transfer_id = 'tr_of_another'`)
  const found = await unknown()
  expect(found.map(({ type, netMinor }) => [type, netMinor])).toEqual([
    ['transfer', -9850n],
    ['transfer_refund', 9850n],
    ['refund', -100n],
  ])
  expect(lineOf(found[0]!)).toMatch(
    new RegExp(`Z transfer -98\\.50 USD: tr_\\w+, ${payoutId}, seller_payable:${seller.id}$`),
  )
  expect(sumLines(found)).toEqual(['  together -1.00 USD'])
  await escrow.database.admin.query(`UPDATE escrow.payment SET status = 'open' WHERE intent_id = $1`, [intent])
  const charge = (await unknown()).find(({ type }) => type === 'charge')!
  expect(charge.netMinor + charge.feeMinor).toBe(BigInt(totalMinor))
  expect(lineOf(charge)).toMatch(
    new RegExp(`USD, fee \\d\\.\\d\\d USD: ch_\\w+, ${intent}, Holdfast transaction #\\d+$`),
  )
})
