import {
  type PayloadOf,
  payoutAccountChanged,
  userConfirmedPayoutAccount,
  userUpdated,
} from '@holdfast/contracts/events'
import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { newEvent } from '@holdfast/events/outbox/event'
import { PAYOUT_ACCOUNT_WAIT_DAYS } from '@holdfast/kernel/payouts'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'
import { CLOSED_BANK, GOOD_BANK, SellerPayouts } from '../../test/seller-payouts.js'
import { ConnectProvider } from './connect.provider.js'
import { PayoutAccountsService } from './payout-accounts.service.js'

/** What a seller gets of 100.00. */
const NET = '98.50'

let escrow: RunningEscrow
let payouts: SellerPayouts
beforeAll(async () => {
  escrow = await RunningEscrow.start()
  payouts = new SellerPayouts(escrow)
})
afterAll(() => escrow.stop())

const changesOf = async ({ id }: UserActor): Promise<PayloadOf<typeof payoutAccountChanged>[]> => {
  const { rows } = await escrow.database.admin.query(
    'SELECT payload FROM events.log WHERE key = $1 AND type = $2 ORDER BY position',
    [id, payoutAccountChanged.type],
  )
  return rows.map(({ payload }) => payload)
}
const accountOf = ({ id }: UserActor) =>
  escrow.row<{
    provider_account_id: string | null
    waits_until: Date | null
    next_payout_at: Date | null
    is_verified: boolean
  }>('SELECT * FROM escrow.payout_account WHERE user_id = $1', [id])
const tellConfirmed = async ({ id: userId }: UserActor, changeId: string) => {
  const at = new Date()
  const event = newEvent(userConfirmedPayoutAccount, userId, { userId, changeId, at: at.toISOString() }, at)
  await publishAs('identity-svc', escrow.database, event)
  await eventually(() => isCaughtUp('escrow-svc', escrow.database))
}
const refusal = { status: 409, body: { code: 'PAYOUT_NOT_POSSIBLE', details: { blockedBy: 'account_changed' } } }
/** A seller with a balance whose bank account was changed. */
async function aChangedSeller() {
  const seller = await payouts.seller()
  await payouts.sell(seller)
  await payouts.nameBank(seller, CLOSED_BANK)
  const [, change] = await eventually(async () => {
    const changes = await changesOf(seller)
    return changes.length === 2 ? changes : undefined
  })
  return { seller, change: change! }
}

describe('a changed payout account', () => {
  test('makes payouts wait for a named time, says so with the reason and the time, and is published', async () => {
    const { seller, change } = await aChangedSeller()
    const waitMs = PAYOUT_ACCOUNT_WAIT_DAYS * 86_400 * 1000
    expect(Date.parse(change.waitsUntil!) - Date.parse(change.at)).toBe(waitMs)
    expect(change).toMatchObject({ sellerId: seller.id, bankLabel: 'Test Bank ending in 1113' })
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      blockedBy: 'account_changed',
      waitsUntil: change.waitsUntil,
    })
    expect(await payouts.request(seller)).toMatchObject(refusal)
    await payouts.passDay(seller)
    expect((await payouts.overview(seller)).body.payouts).toEqual([])
    await escrow.row(
      "UPDATE escrow.payout_account SET waits_until = now() - interval '1 ms' WHERE user_id = $1 RETURNING 1",
      [seller.id],
    )
    expect((await payouts.overview(seller)).body).toMatchObject({ blockedBy: null, waitsUntil: null })
    expect(await payouts.request(seller)).toMatchObject({ status: 201 })
  })

  test('is paid into at once when the seller confirms that change, and not when they confirm an earlier one', async () => {
    const { seller, change } = await aChangedSeller()
    await payouts.nameBank(seller, GOOD_BANK)
    const [, , latest] = await eventually(async () => {
      const changes = await changesOf(seller)
      return changes.length === 3 ? changes : undefined
    })
    await tellConfirmed(seller, change.changeId)
    expect(await payouts.request(seller)).toMatchObject(refusal)
    await tellConfirmed(seller, latest!.changeId)
    expect((await payouts.overview(seller)).body).toMatchObject({ blockedBy: null, waitsUntil: null })
    expect(await payouts.request(seller)).toMatchObject({ status: 201 })
  })

  test('makes nobody wait who names their first one, or whose account is only asked about again', async () => {
    const seller = await payouts.seller()
    const changes = await eventually(async () => {
      const found = await changesOf(seller)
      return found.length > 0 ? found : undefined
    })
    expect(changes).toMatchObject([{ waitsUntil: null, bankLabel: 'Test Bank ending in 6789' }])
    await payouts.sendEvents('account.updated')
    expect(await changesOf(seller)).toHaveLength(1)
    expect((await payouts.overview(seller)).body.waitsUntil).toBeNull()
  })

  test('brings a payout back that was decided before and not sent, also when no message about the change came', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    // The provider takes no transfer yet.
    const fault = { kind: 'error', method: 'POST', path: '/v1/transfers', times: 50 }
    await escrow.dependencies.control('/faults', fault)
    const { body: payout } = await payouts.request(seller)
    const { provider_account_id: account } = await accountOf(seller)
    const state = escrow.sandbox.context.state
    const known = state.accounts.get(account!)!
    state.accounts.put({ ...known, bank: { ...known.bank!, id: 'ba_of_a_thief', last4: '6666' } })
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await payouts.finish(payout.id)
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      blockedBy: 'account_changed',
      payouts: [{ status: 'returned', failure: 'It was not sent, because your payout account was changed.' }],
    })
    expect([...state.payouts.oldestFirst()].filter(({ accountId }) => accountId === account)).toEqual([])
    expect(await escrow.violations()).toEqual([])
  })

  test('brings a payout back of which only the transfer was made', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { provider_account_id: account } = await accountOf(seller)
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/payouts', times: 50 })
    const { body: payout } = await payouts.request(seller)
    const transfer = () =>
      escrow.row<{ id: string | null }>('SELECT transfer_id AS id FROM escrow.payout WHERE id = $1', [payout.id])
    await eventually(async () => {
      await payouts.send(payout.id)
      return (await transfer()).id !== null
    })
    await payouts.nameBank(seller, CLOSED_BANK)
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await payouts.finish(payout.id)
    expect((await payouts.overview(seller)).body).toMatchObject({ available: NET, payouts: [{ status: 'returned' }] })
    expect(
      [...escrow.sandbox.context.state.payouts.oldestFirst()].filter(({ accountId }) => accountId === account),
    ).toEqual([])
    expect(await escrow.violations()).toEqual([])
  })

  test('brings a payout back whose bank was changed at the provider after we have asked for it', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { provider_account_id: account } = await accountOf(seller)
    const { state } = escrow.sandbox.context
    const provider = escrow.service.app.get(ConnectProvider)
    const transfer = provider.transfer.bind(provider)
    jest.spyOn(provider, 'transfer').mockImplementationOnce(async step => {
      const known = state.accounts.get(account!)!
      state.accounts.put({ ...known, bank: { ...known.bank!, id: 'ba_of_a_thief', last4: '6666' } })
      return transfer(step)
    })
    const { body: payout } = await payouts.request(seller)
    await payouts.finish(payout.id)
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      blockedBy: 'account_changed',
      payouts: [{ status: 'returned' }],
    })
    expect([...state.payouts.oldestFirst()].filter(({ accountId }) => accountId === account)).toEqual([])
    expect(await escrow.violations()).toEqual([])
  })
})

describe('a bank account that was changed a moment ago', () => {
  /** Changes the bank at the provider, without a message about it. */
  const changeBank = async (seller: UserActor) => {
    const { provider_account_id: account } = await accountOf(seller)
    const { accounts } = escrow.sandbox.context.state
    const known = accounts.get(account!)!
    accounts.put({ ...known, bank: { ...known.bank!, id: 'ba_of_a_thief', last4: '6666' } })
    return account!
  }

  test('is noted by the payout that is sent, although the provider is asked once more at that moment', async () => {
    const seller = await payouts.seller()
    const account = await changeBank(seller)
    const provider = escrow.service.app.get(ConnectProvider)
    const accounts = escrow.service.app.get(PayoutAccountsService)
    const get = provider.getAccount.bind(provider)
    let later: Promise<boolean> | undefined
    let answerLater: (() => void) | undefined
    provider.getAccount = async (...input: Parameters<typeof get>) => {
      const found = await get(...input)
      // The message about the change has come, and its question is not answered yet.
      if (later)
        await new Promise<void>(resolve => {
          answerLater = resolve
        })
      else later = accounts.refreshAccount(account)
      return found
    }
    try {
      await accounts.refreshAccount(account)
      expect(await accounts.bankIdOf(seller.id, account)).toBeNull()
    } finally {
      const answer = await eventually(() => answerLater)
      answer()
      await later
      provider.getAccount = get
    }
    await eventually(async () => (await changesOf(seller)).length > 1)
    expect(await changesOf(seller)).toHaveLength(2)
  })

  test('waits also when an earlier release has recorded the bank before, and not when it is the same one', async () => {
    const [changed, same] = [await payouts.seller(), await payouts.seller()]
    for (const { id } of [changed, same])
      await escrow.row('UPDATE escrow.payout_account SET bank_id = NULL WHERE user_id = $1 RETURNING 1', [id])
    const account = await changeBank(changed)
    const accounts = escrow.service.app.get(PayoutAccountsService)
    await accounts.refreshAccount(account)
    await accounts.refreshAccount((await accountOf(same)).provider_account_id!)
    expect((await payouts.overview(changed)).body.waitsUntil).not.toBeNull()
    expect((await payouts.overview(same)).body.waitsUntil).toBeNull()
    expect(await eventually(async () => (await changesOf(changed)).length === 2)).toBe(true)
    expect(await changesOf(same)).toHaveLength(1)
  })
})

describe('an account that the owner of its address has taken over', () => {
  const facts = ({ id }: UserActor, takenOverAt: string | null) => ({
    ...{ id, firstName: 'Ana', lastName: 'Silva', username: 'ana', isVerified: true, rating: null },
    ...{ profileImageUrl: null, emailConfirmed: takenOverAt !== null, takenOverAt },
  })
  const tell = async (user: UserActor, takenOverAt: string | null, occurredAt: Date) => {
    await publishAs(
      'identity-svc',
      escrow.database,
      newEvent(userUpdated, user.id, { user: facts(user, takenOverAt) }, occurredAt),
    )
    await eventually(() => isCaughtUp('escrow-svc', escrow.database))
  }
  const notAttached = {
    provider_account_id: null,
    bank_label: null,
    bank_id: null,
    status: 'none',
    next_payout_at: null,
  }
  const minute = (n: number) => new Date(Date.now() + n * 60_000)

  test('has no payout account any more, from the moment when its address counts as confirmed, in whatever order the events come', async () => {
    const at = new Date().toISOString()
    for (const order of [
      [false, true],
      [true, false],
      [true, true],
    ]) {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      await tell(seller, null, minute(-2))
      expect(await payouts.request(seller)).toMatchObject({ body: { details: { blockedBy: 'email_not_confirmed' } } })
      // Later events of the user say it, too, and one from before does not.
      for (const isLate of order) await tell(seller, isLate ? at : null, isLate ? minute(1) : minute(-1))
      expect(await accountOf(seller)).toMatchObject(notAttached)
      expect(await payouts.request(seller)).toMatchObject({ body: { details: { blockedBy: 'no_account' } } })
    }
  })

  test('loses nothing that its owner has attached since when the event comes again', async () => {
    const seller = await payouts.seller()
    const at = new Date().toISOString()
    await tell(seller, at, minute(0))
    await payouts.nameBank(seller, GOOD_BANK)
    const { provider_account_id: own } = await accountOf(seller)
    await redeliverAll('escrow-svc', escrow.database)
    await eventually(() => isCaughtUp('escrow-svc', escrow.database))
    await tell(seller, at, minute(1))
    expect(await accountOf(seller)).toMatchObject({ provider_account_id: own, status: 'ready' })
  })

  test('does not get the account that a request of the person before was opening at that moment', async () => {
    const seller = await payouts.seller()
    await escrow.row(
      'UPDATE escrow.payout_account SET provider_account_id = NULL, status = $2 WHERE user_id = $1 RETURNING 1',
      [seller.id, 'none'],
    )
    const provider = escrow.service.app.get(ConnectProvider)
    const open = provider.openAccount.bind(provider)
    provider.openAccount = async (...input: Parameters<typeof open>) => {
      const opened = await open(...input)
      await tell(seller, new Date().toISOString(), minute(0))
      return opened
    }
    try {
      await expect(escrow.service.app.get(PayoutAccountsService).onboard(seller.id)).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    } finally {
      provider.openAccount = open
    }
    expect(await accountOf(seller)).toMatchObject({ provider_account_id: null, status: 'none' })
  })

  test('has none of the cards that were saved before', async () => {
    const seller = await payouts.seller()
    const cards = async () => (await escrow.request<SavedCard[]>('GET', '/api/payment-methods', { actor: seller })).body
    await escrow.request('POST', '/api/payment-methods/setup', { actor: seller })
    const { customer } = await escrow.row<{ customer: string }>(
      'SELECT provider_customer_id AS customer FROM escrow.customer WHERE user_id = $1',
      [seller.id],
    )
    await tell(seller, new Date().toISOString(), minute(0))
    await eventually(async () => {
      const { now } = await escrow.row<{ now: string | null }>(
        'SELECT provider_customer_id AS now FROM escrow.customer WHERE user_id = $1',
        [seller.id],
      )
      return now !== customer
    })
    expect(await cards()).toEqual([])
  })
})
