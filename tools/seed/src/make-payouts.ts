import { payoutRoutes } from '@holdfast/contracts/payouts'
import type { PayoutStatus } from '@holdfast/kernel/payouts'
import { eventually } from './eventually.js'
import type { Member } from './member.js'
import type { Sandbox } from './sandbox.js'

/** Account numbers of the sandbox. */
const CLOSED_BANK = '000111111113'
const GOOD_BANK = '000123456789'

/**
 * Pays a verified seller out twice: the first payout comes back from a bank account that is closed, the second arrives at another
 * one. Started again it does nothing.
 */
export async function makePayouts(seller: Member, sandbox: Sandbox): Promise<void> {
  const { payouts } = await seller.call(payoutRoutes.getPayouts, {})
  if (payouts.length > 0) return
  const first = await payOut(seller, sandbox, CLOSED_BANK)
  await sandbox.endPayout(first.amountMinor, 'fail')
  await newestIs(seller, 'returned')
  const second = await payOut(seller, sandbox, GOOD_BANK)
  await sandbox.endPayout(second.amountMinor, 'settle')
  await newestIs(seller, 'paid')
}

async function payOut(seller: Member, sandbox: Sandbox, bank: string): Promise<{ amountMinor: number }> {
  const { onboardingUrl } = await seller.call(payoutRoutes.putPayoutAccount, {})
  await sandbox.fillInBank(onboardingUrl, seller.person, bank)
  await eventually('the payout account was ready', async () => {
    await seller.call(payoutRoutes.getPayoutAccount, {})
    return (await seller.call(payoutRoutes.getPayouts, {})).hold === null
  })
  const headers = { 'idempotency-key': `demo-${bank}` }
  const { amount } = await seller.call(payoutRoutes.createPayout, { headers })
  await newestIs(seller, 'in_transit')
  return { amountMinor: Math.round(Number(amount) * 100) }
}

const newestIs = (seller: Member, status: PayoutStatus) =>
  eventually(`a payout was ${status}`, async () => {
    const { payouts } = await seller.call(payoutRoutes.getPayouts, {})
    return payouts[0]?.status === status
  })
