import { payoutAccountChanged } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const CHANGED = 'Your payout account was changed'

async function aSeller() {
  const registration = aRegistration()
  const { id } = (await identity.signUp(registration)).body.user
  await identity.confirmAddress(id)
  return { ...registration, id }
}
async function tellChange({ id: sellerId }: { id: string }, waits = true): Promise<string> {
  const [changeId, at] = [newId(), new Date()]
  const waitsUntil = waits ? new Date(at.getTime() + 1_000).toISOString() : null
  const change = { sellerId, changeId, bankLabel: 'Test Bank ending in 6789', waitsUntil, at: at.toISOString() }
  await publishAs('escrow-svc', identity.database, newEvent(payoutAccountChanged, sellerId, change, at))
  await eventually(() => isCaughtUp('identity-svc', identity.database))
  return changeId
}
const mailsAbout = async (email: string, subject: string) =>
  (await identity.mailsTo(email)).filter(mail => mail.subject === subject)
const tokenFor = async (email: string) =>
  eventually(async () => /#([\w-]{43})/.exec((await mailsAbout(email, CHANGED))[0]?.text ?? '')?.[1])
const confirm = (token: string, user: string | null) =>
  identity.client.request('POST', '/api/payout-account/confirm', {
    body: { token },
    actor: user === null ? null : userActor(user),
  })
const confirmedOf = async (id: string) =>
  (
    await identity.database.admin.query(
      `SELECT payload FROM identity.outbox WHERE key = $1 AND type = 'identity.user.payout_account_confirmed.v1'
       UNION SELECT payload::jsonb FROM events.log WHERE key = $1 AND type = 'identity.user.payout_account_confirmed.v1'`,
      [id],
    )
  ).rows.map(({ payload }) => payload.changeId)

test('a changed payout account is mailed once with the bank, and is confirmed once with the link, in a session of its seller', async () => {
  const [seller, other] = [await aSeller(), await aSeller()]
  const changeId = await tellChange(seller)
  await redeliverAll('identity-svc', identity.database)
  await eventually(() => isCaughtUp('identity-svc', identity.database))
  const token = await tokenFor(seller.email)
  const mails = await mailsAbout(seller.email, CHANGED)
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain('Test Bank ending in 6789')
  expect(await confirm(token, null)).toMatchObject({ status: 401 })
  expect(await confirm(token, other.id)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_TO_CONFIRM' } })
  expect(await confirmedOf(seller.id)).toEqual([])
  const answers = await Promise.all([confirm(token, seller.id), confirm(token, seller.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 410])
  expect(await confirmedOf(seller.id)).toEqual([changeId])
})

test('the first payout account is mailed without a link to confirm it', async () => {
  const seller = await aSeller()
  await tellChange(seller, false)
  const [mail] = await eventually(async () => {
    const mails = await mailsAbout(seller.email, 'A payout account was added')
    return mails.length > 0 ? mails : undefined
  })
  expect(mail!.text).toContain('Test Bank ending in 6789')
  expect(mail!.text).not.toMatch(/#[\w-]{43}/)
})

test('a link to confirm a payout account ends when its owner sets another password: a thief may have changed it', async () => {
  const seller = await aSeller()
  await tellChange(seller)
  const token = await tokenFor(seller.email)
  await identity.client.request('POST', '/api/auth/reset', { body: { email: seller.email } })
  const reset = await eventually(async () => (await mailsAbout(seller.email, 'Set a new password'))[0])
  const body = { token: /#([\w-]{43})/.exec(reset.text)![1], password: 'quite another long sentence' }
  expect((await identity.client.request('POST', '/api/auth/reset/confirm', { body })).status).toBe(204)
  expect(await confirm(token, seller.id)).toMatchObject({ status: 410 })
})

test('a change soon after another e-mail address is not confirmed by mail: a thief of the account may have named that address', async () => {
  const seller = await aSeller()
  const email = `new.${seller.email}`
  const { firstName, lastName, username } = seller
  const names = { firstName, lastName, username, phoneNumber: null }
  const profile = { ...names, email, currentPassword: seller.password, changed: ['email'] }
  const { rows } = await identity.database.admin.query('SELECT id FROM identity.sessions WHERE user_id = $1', [
    seller.id,
  ])
  const actor = { ...userActor(seller.id), sessionId: String(rows[0].id) }
  expect(await identity.client.request('PUT', '/api/profile', { body: profile, actor })).toMatchObject({ status: 200 })
  const link = await eventually(async () => (await mailsAbout(email, 'Confirm your new e-mail address'))[0])
  const body = { token: /#([\w-]{43})/.exec(link.text)![1] }
  expect(await identity.client.request('POST', '/api/auth/verify-email', { body, actor })).toMatchObject({
    status: 204,
  })
  await tellChange(seller)
  const [mail] = await eventually(async () => {
    const mails = await mailsAbout(email, CHANGED)
    return mails.length > 0 ? mails : undefined
  })
  expect(mail!.text).not.toMatch(/#[\w-]{43}/)
  expect(mail!.text).toContain('Your e-mail address was changed a short time ago')
  await identity.database.admin.query(
    "UPDATE identity.users SET email_changed_at = email_changed_at - interval '2 days' WHERE id = $1",
    [seller.id],
  )
  await tellChange(seller)
  const confirmable = await eventually(async () =>
    (await mailsAbout(email, CHANGED)).find(({ text }) => /#[\w-]{43}/.test(text)),
  )
  expect(await confirm(/#([\w-]{43})/.exec(confirmable.text)![1]!, seller.id)).toMatchObject({ status: 204 })
})
