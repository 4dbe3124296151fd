import { type Payout, payoutConfirmationRoutes, payoutRoutes } from '@holdfast/contracts/payouts'
import { userRoutes } from '@holdfast/contracts/users'
import { ApiError } from '@holdfast/http-client/api-error'
import { eventually } from './eventually.js'
import { findDealAbout } from './find-deal.js'
import { GOODS_IN_DEALS } from './goods-in-deals.js'
import type { Item } from './item.js'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import type { Sandbox } from './sandbox.js'

/** The account numbers of the sandbox's banks, by how a payout into them ends. */
const BANKS = { returned: '000111111113', paid: '000123456789' } as const
type Ending = keyof typeof BANKS

/**
 * Pays verified sellers out. One payout comes back from a bank account that is closed, and the next arrives at another one. One
 * comes back and stays on its seller's balance. One arrives, and then the bank of the seller's buyer takes the payment back: the
 * balance is below zero. Started again it makes only what is missing.
 */
export async function makePayouts(
  members: Members,
  listings: ReadonlyMap<Item, number>,
  sandbox: Sandbox,
): Promise<void> {
  const { theo, ruth, jonas } = members
  await Promise.all([
    payOutAs(theo, sandbox, ['returned', 'paid']),
    payOutAs(ruth, sandbox, ['returned']),
    payOutAs(jonas, sandbox, ['paid']).then(() => loseSale(members, listings, sandbox)),
  ])
}

async function payOutAs(seller: Member, sandbox: Sandbox, endings: readonly Ending[]): Promise<void> {
  for (const ending of endings) {
    const { payouts } = await overviewOf(seller)
    if (!payouts.some(({ status }) => status === ending)) await payOut(seller, sandbox, ending)
  }
}

/** The bank takes back what the buyer of the plum trainers has paid, and decides for the buyer. */
async function loseSale({ ruth, jonas }: Members, listings: ReadonlyMap<Item, number>, sandbox: Sandbox) {
  const id = await findDealAbout(ruth, listings, GOODS_IN_DEALS.plumTrainers)
  await sandbox.loseDispute(await sandbox.disputePayment(id))
  await eventually('the seller owed the money', async () => Number((await overviewOf(jonas)).available) < 0)
}

/** With short days, the product may pay the seller out without asking, and the bank may answer before the sandbox is told to. */
async function payOut(seller: Member, sandbox: Sandbox, ending: Ending): Promise<void> {
  const before = new Set((await overviewOf(seller)).payouts.map(({ id }) => id))
  const { onboardingUrl } = await seller.call(payoutRoutes.putPayoutAccount, {})
  await sandbox.fillInBank(onboardingUrl, seller.person, BANKS[ending])
  await eventually('the payout account was ready', async () => {
    return (await seller.call(payoutRoutes.getPayoutAccount, {})).status === 'ready'
  })
  if ((await overviewOf(seller)).waitsUntil) await confirmAccount(seller, sandbox)
  await askForPayout(seller, ending)
  const made = async () => (await overviewOf(seller)).payouts.findLast(({ id }) => !before.has(id))
  await eventually('the payout was sent', async () => isSent(await made()))
  await sandbox.endPayout((await made())!, ending === 'paid' ? 'settle' : 'fail')
  await eventually(`the payout was ${ending}`, async () => (await made())?.status === ending)
}

/** Another bank account is paid into at once only when its owner confirms it with the mailed link. */
async function confirmAccount(seller: Member, sandbox: Sandbox): Promise<void> {
  const { email } = await seller.call(userRoutes.getCurrentUser, {})
  await eventually('the changed payout account was confirmed', async () => {
    const token = await sandbox.mailedToken(email, 'Your payout account was changed')
    // A link of an earlier change may be used already.
    if (token) await seller.call(payoutConfirmationRoutes.confirmPayoutAccount, { body: { token } }).catch(unlessGone)
    return !(await overviewOf(seller)).waitsUntil
  })
}

const unlessGone = (error: unknown) => {
  if (!(error instanceof ApiError && error.code === 'GONE')) throw error
}

async function askForPayout(seller: Member, ending: Ending): Promise<void> {
  try {
    await seller.call(payoutRoutes.createPayout, { headers: { 'idempotency-key': `demo-${BANKS[ending]}` } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'PAYOUT_NOT_POSSIBLE')) throw error
  }
}

const isSent = (payout: Payout | undefined) => payout !== undefined && payout.status !== 'scheduled'

const overviewOf = (seller: Member) => seller.call(payoutRoutes.getPayouts, {})
