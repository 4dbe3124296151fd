import { createHash } from 'node:crypto'
import type { Invitation, InvitationLink, SentInvitation } from '@holdfast/contracts/invitations'
import type { Listing } from '@holdfast/contracts/listings'
import { newId } from '@holdfast/kernel/ids'
import { MAX_OPEN_INVITATIONS } from '@holdfast/kernel/invitations'
import { hasLink } from '@holdfast/names/links'
import { cleanupPlan } from '@holdfast/testing/cleanup-plan'
import { type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'
import { AcceptanceService } from './acceptance.service.js'
import { MAILS_PER_INVITEE, MAX_LISTED } from './invitations.service.js'

let service: RunningListing
let [ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]
let listing: Listing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())
// Other people for each test, since there are limits for each of them.
beforeEach(async () => {
  ;[ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]
  listing = await service.created(ana, { isPrivate: true, images: [await pictureUrl(Math.floor(Math.random() * 255))] })
})

const emailOf = ({ user }: Person) => `${user.username}@example.com`
const pathOf = ({ id }: Pick<Listing, 'id'>, rest = '') => `/api/listings/${id}/invitations${rest}`
const invite = <T = InvitationLink>(
  who: Person,
  invitation: object = {},
  on: Pick<Listing, 'id'> = listing,
  { ownerConfirmed = true, key }: { ownerConfirmed?: boolean; key?: string } = {},
) =>
  service.client.request<T>('POST', `/internal/listings/${on.id}/invitations`, {
    actor: who.actor,
    body: { invitation, ownerConfirmed, isMailed: true },
    ...(key && { headers: { 'idempotency-key': key } }),
  })
const sent = <T = SentInvitation[]>(who: Person, on = listing) =>
  service.client.request<T>('GET', pathOf(on), { actor: who.actor })
const open = <T = Invitation>(token: string, viewer?: Person) =>
  service.client.request<T>('GET', `/api/invitation/${token}`, { actor: viewer?.actor ?? null })
const accept = (token: string, { actor, user }: Person, email = emailOf({ user } as Person), emailConfirmed = true) =>
  service.client.request<{ listingId: number; code: string }>('POST', '/internal/invitations/accept', {
    actor,
    body: { token, user: { ...user, email, emailConfirmed } },
  })
const revoke = (id: string, who = ana, on: Pick<Listing, 'id'> = listing) =>
  service.client.request('DELETE', pathOf(on, `/${id}`), { actor: who.actor })
const resend = (id: string, who = ana, on: Pick<Listing, 'id'> = listing, ownerConfirmed = true) =>
  service.client.request<InvitationLink & { code: string }>(
    'POST',
    `/internal/listings/${on.id}/invitations/${id}/resend`,
    { actor: who.actor, body: { ownerConfirmed, isMailed: true } },
  )
const ends = (id: string, sql: string) =>
  service.database.admin.query(`UPDATE listing.invitation SET expires_at = ${sql} WHERE id = $1`, [id])
const ENDED = { status: 410, body: { code: 'INVITATION_ENDED', message: 'Invitation has expired' } }

describe('an invitation by link', () => {
  it('makes the private listing visible to nobody but the one who accepts it, and only by its own address', async () => {
    const hidden = await service.created(ana, { title: 'Hidden theodolite', isPrivate: true })
    const { body: link } = await invite(ana, {}, hidden)
    expect((await accept(link.token, ben)).status).toBe(200)
    const read = (path: string, who: Person | null, headers = {}) =>
      service.client.request<object[] & { total: number; code?: string }>('GET', `/api/listings${path}`, {
        actor: who?.actor ?? null,
        headers,
      })
    const { headers } = await read(`/${hidden.id}`, ben)
    for (const viewer of [null, eve, ben]) {
      for (const path of ['?q=theodolite', `?sellerId=${ana.user.id}`, `?sellerId=${ana.user.id}&sort=price-asc`])
        expect((await read(path, viewer)).body).toEqual([])
      expect((await read('/facets?q=theodolite', viewer)).body.total).toBe(0)
    }
    for (const viewer of [null, eve]) {
      const asked = await read(`/${hidden.id}`, viewer, { 'if-none-match': headers.get('etag') ?? '"1-1"' })
      expect(asked).toMatchObject({ status: 404, body: { code: 'LISTING_NOT_FOUND' } })
      expect(await read(`?sellerId=${ana.user.id}&status=active`, viewer)).toMatchObject({ status: 400 })
    }
    await revoke(link.id, ana, hidden)
    expect((await read(`/${hidden.id}`, ben)).status).toBe(404)
    expect(await open(link.token, ben)).toMatchObject(ENDED)
  })

  it('lets the one who accepts it see the private listing, its picture and its terms, and nobody else', async () => {
    const { status, body: link } = await invite(ana, { message: '  For you.  ' })
    expect([status, link.url]).toEqual([201, `http://localhost:3000/invitation/${link.token}`])
    const { body } = await open(link.token)
    expect(body).toEqual({ message: 'For you.', expiresAt: link.expiresAt, inviteeEmail: null, listing })

    const readers = async () => {
      const found: string[] = []
      for (const viewer of [ana, ben, eve, undefined]) {
        const answers = [
          (await service.get(listing.id, viewer)).status,
          (await service.fetch(listing.images[0]!, {}, viewer)).status,
          (
            await service.client.request('GET', `/internal/listings/${listing.id}/terms`, {
              actor: viewer?.actor ?? null,
            })
          ).status,
        ]
        expect([200, 404]).toContain(answers[0])
        expect(new Set(answers).size).toBe(1)
        if (answers[0] === 200) found.push(viewer?.user.firstName ?? 'visitor')
      }
      return found
    }
    expect(await readers()).toEqual(['Ana'])
    expect(await accept(link.token, ben)).toMatchObject({ status: 200, body: { listingId: listing.id } })
    expect(await readers()).toEqual(['Ana', 'Ben'])
    // It is in no list of others, and cannot be changed by the invited.
    expect((await service.list(`?sellerId=${ana.id}`, ben)).body).toEqual([])
    expect(await service.change(listing.id, ben, { title: 'Mine' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
    expect((await service.get(listing.id, ben)).body).toMatchObject({ title: listing.title })

    expect(await accept(link.token, ben)).toMatchObject({ status: 200 })
    expect(await accept(link.token, eve)).toMatchObject(ENDED)
    expect(await open(link.token)).toMatchObject(ENDED)
    expect((await open(link.token, ben)).status).toBe(200)
    expect((await sent(ana)).body).toMatchObject([{ status: 'accepted', acceptedBy: ben.user, message: 'For you.' }])
  })

  it('is accepted by one of two at the same moment', async () => {
    const { body } = await invite(ana)
    const answers = await Promise.all([accept(body.token, ben), accept(body.token, eve)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('stores no token', async () => {
    const { body } = await invite(ana)
    const { rows } = await service.database.admin.query(
      `SELECT i::text AS invitation, token_hash FROM listing.invitation i JOIN listing.invitation_token t ON t.invitation_id = i.id
        WHERE i.id = $1`,
      [body.id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].invitation).not.toContain(body.token)
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(body.token).digest())
  })

  it('ends by its time, by revoking, and with the sale; an unknown one is not found', async () => {
    const [late, revoked, sold] = await Promise.all([1, 2, 3].map(async () => (await invite(ana)).body))
    await ends(late!.id, 'now()')
    expect(await open(late!.token)).toMatchObject(ENDED)
    expect(await accept(late!.token, ben)).toMatchObject(ENDED)

    await accept(revoked!.token, ben)
    for (const _ of [1, 2]) expect((await revoke(revoked!.id)).status).toBe(204)
    expect(await open(revoked!.token, ben)).toMatchObject(ENDED)
    expect((await service.get(listing.id, ben)).status).toBe(404)

    await service.deal('transactionOpened', 91, listing)
    expect(await accept(sold!.token, ben)).toMatchObject(ENDED)
    expect((await sent(ana)).body.map(({ status }) => status).sort()).toEqual(['expired', 'open', 'revoked'])
    expect(await open('none')).toMatchObject({ status: 404, body: { message: 'Invitation not found' } })
  })
})

describe('an invitation by mail', () => {
  it('reaches the address with a link of its own, which only the account with this confirmed address can accept', async () => {
    const { body: link } = await invite(ana, { inviteeEmail: emailOf(ben), message: 'Look <b>here</b>' })
    const [mail] = await service.mailsTo(emailOf(ben))
    expect(mail!.subject).toBe('You are invited to buy something on Holdfast')
    expect(mail!.text).toContain('> The item: “A lamp”\n> Offered by: “Ana Test”\n> Username: “ana.')
    expect(mail!.text).toContain('They have left you a message, too.')
    expect(mail!.text).not.toContain('Look')
    const token = /\/invitation\/([\w-]+)/.exec(mail!.text)![1]!
    expect(token).not.toBe(link.token)

    expect((await open(token)).body.inviteeEmail).toBe(emailOf(ben))
    expect(await accept(token, eve)).toMatchObject({ status: 403, body: { code: 'INVITED_OTHER_ADDRESS' } })
    expect(await accept(token, ben, emailOf(ben), false)).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_CONFIRMED' },
    })
    expect(await accept(token, ben, emailOf(ben).toUpperCase())).toMatchObject({ status: 200 })
  })

  it('quotes what its sender wrote: on one line each, with a limit, and with no link', async () => {
    const prize = 'Claim your $900: evil-prize.com/x7'
    const dan = person('Dan')
    const hostile = { ...dan, user: { ...dan.user, firstName: prize, lastName: 'Holdfast Support' } }
    const { id } = await service.created(hostile, { isPrivate: true, title: `${prize} ${'x'.repeat(60)}` })
    await invite(hostile, { inviteeEmail: emailOf(ben), message: prize }, { id })
    const [mail] = await service.mailsTo(emailOf(ben))
    expect(mail!.subject).toBe('You are invited to buy something on Holdfast')
    const [ours, quotation] = mail!.text.split('> These are the words of that person. We have not checked them.\n')
    expect(ours).not.toContain('Claim')
    expect(quotation).toMatch(
      /^> The item: “Claim your \$900: evil-prize\. com\/x7 x+”\n> Offered by: “Claim your .*”\n> Username: “[^\n]*”\n\n/,
    )
    expect(hasLink(mail!.text.replaceAll(/http:\/\/localhost:3000\S*/g, ''))).toBe(false)
  })

  it('is sent again with a new link and a new time, not when it was accepted or revoked', async () => {
    const { body: link } = await invite(ana, { inviteeEmail: emailOf(ben) })
    await ends(link.id, `now() - interval '1 hour'`)
    const again = await resend(link.id)
    expect(again.status).toBe(201)
    expect(Date.parse(again.body.expiresAt)).toBeGreaterThan(Date.now())
    expect(await service.mailsTo(emailOf(ben), 2)).toHaveLength(2)
    expect((await open(link.token)).status).toBe(200)

    await accept(again.body.token, ben)
    expect((await resend(link.id)).status).toBe(409)
    await revoke(link.id)
    expect((await resend(link.id)).status).toBe(409)
  })

  it('counts as an offer until its sender has confirmed their address; links do not', async () => {
    const unconfirmed = (inviteeEmail?: string) => invite(ana, { inviteeEmail }, listing, { ownerConfirmed: false })
    const mailed = await Promise.all([ben, eve, ben, eve].map(each => unconfirmed(emailOf(each))))
    expect(mailed.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403])
    const refused = {
      status: 403,
      body: { code: 'EMAIL_NOT_CONFIRMED', message: expect.stringContaining('3 offers a day') },
    }
    expect(mailed.find(({ status }) => status === 403)).toMatchObject(refused)
    const { body: link } = mailed.find(({ status }) => status === 201)!
    expect(await resend(link.id, ana, listing, false)).toMatchObject(refused)
    expect((await unconfirmed()).status).toBe(201)
    expect((await resend(link.id)).status).toBe(201)
  })

  it('is made without a mail when the address is of somebody who has blocked the user, and the answer does not say so', async () => {
    const invitation = { inviteeEmail: emailOf(ben) }
    const made = await service.client.request<InvitationLink>('POST', `/internal/listings/${listing.id}/invitations`, {
      actor: ana.actor,
      body: { invitation, ownerConfirmed: true, isMailed: false },
    })
    const again = await service.client.request(
      'POST',
      `/internal/listings/${listing.id}/invitations/${made.body.id}/resend`,
      { actor: ana.actor, body: { ownerConfirmed: true, isMailed: false } },
    )
    const mailed = await invite(ana, { inviteeEmail: emailOf(eve) })
    for (const each of [made, again]) {
      expect(each.status).toBe(201)
      expect(Object.keys(each.body as object)).toEqual(Object.keys(mailed.body))
    }
    const { rows } = await service.database.admin.query('SELECT FROM listing.mail WHERE recipient = $1', [emailOf(ben)])
    expect(rows).toEqual([])
    expect((await sent(ana)).body.map(each => each.inviteeEmail)).toContain(emailOf(ben))
  })

  it('is limited for one mailbox, whatever its case and what stands behind a plus sign', async () => {
    for (let n = 0; n < MAILS_PER_INVITEE.attempts; n++) {
      expect((await invite(ana, { inviteeEmail: emailOf(ben) })).status).toBe(201)
    }
    expect((await invite(ana, { inviteeEmail: emailOf(ben).toUpperCase() })).status).toBe(429)
    expect((await invite(ana, { inviteeEmail: emailOf(ben).replace('@', '+more@') })).status).toBe(429)
    expect((await invite(ana)).status).toBe(201)
  })
})

describe('who makes invitations', () => {
  it('is the owner alone', async () => {
    const { body: link } = await invite(ana)
    await accept((await invite(ana)).body.token, ben)
    for (const [who, status] of [
      [eve, 404],
      // He may see the listing.
      [ben, 403],
    ] as const) {
      expect((await invite(who)).status).toBe(status)
      expect((await sent(who)).status).toBe(status)
      expect((await resend(link.id, who)).status).toBe(status)
      expect((await revoke(link.id, who)).status).toBe(status)
    }
    expect(await accept(link.token, ana)).toMatchObject({ status: 403, body: { code: 'OWN_LISTING' } })
    const other = await service.created(eve, { isPrivate: true })
    expect((await revoke(link.id, eve, other)).status).toBe(404)
    expect((await resend(link.id, eve, other)).status).toBe(404)
    expect((await open(link.token)).status).toBe(200)
  })

  it('and only to a private listing that is on sale and was made for nobody', async () => {
    const shown = await service.created(ana)
    const forBen = await service.created(ana, {}, { counterparty: ben })
    await service.withdraw(listing.id, ana)
    for (const each of [shown, forBen, listing]) {
      expect(await invite(ana, {}, each)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    }
  })

  it.each([
    ['invitation.inviteeEmail', { inviteeEmail: 'nobody' }],
    ['invitation.message', { message: 'x'.repeat(501) }],
    ['invitation.expiresInDays', { expiresInDays: 365 }],
  ])('a wrong %s is named', async (field, body) => {
    expect(await invite(ana, body)).toMatchObject({
      status: 400,
      body: { details: { fields: { [field]: expect.any(String) } } },
    })
  })

  it('is made and mailed once when a request is repeated with its key, and each answer has a link that can be accepted', async () => {
    const key = newId()
    const invitation = { inviteeEmail: emailOf(ben) }
    const answers = await Promise.all([1, 2].map(() => invite(ana, invitation, listing, { key })))
    answers.push(await invite(ana, invitation, listing, { key }))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await sent(ana)).body.map(({ id }) => id)).toEqual([answers[0]!.body.id])
    expect(await service.mailsTo(emailOf(ben))).toHaveLength(1)
    for (const { body } of answers) expect((await accept(body.token, ben)).status).toBe(200)
    expect(await invite(ana, { ...invitation, message: 'Hello' }, listing, { key })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  })

  it(`is listed among the newest ${MAX_LISTED}`, async () => {
    await service.database.admin.query(
      `INSERT INTO listing.invitation (id, listing_id, valid_days, expires_at, revoked_at)
       SELECT id, $1, 7, now() + interval '7 days', now() FROM unnest($2::uuid[]) id`,
      [listing.id, Array.from({ length: MAX_LISTED + 1 }, () => newId())],
    )
    expect((await sent(ana)).body).toHaveLength(MAX_LISTED)
  })

  it(`can have ${MAX_OPEN_INVITATIONS} open`, async () => {
    await service.database.admin.query(
      `INSERT INTO listing.invitation (id, listing_id, valid_days, expires_at)
       SELECT gen_random_uuid(), $1, 7, now() + interval '7 days' FROM generate_series(1, $2)`,
      [listing.id, MAX_OPEN_INVITATIONS],
    )
    expect((await invite(ana)).status).toBe(409)
  })

  it(`that ended by its time is not opened again while ${MAX_OPEN_INVITATIONS} others are open`, async () => {
    const { body: link } = await invite(ana)
    await ends(link.id, `now() - interval '1 hour'`)
    await service.database.admin.query(
      `INSERT INTO listing.invitation (id, listing_id, valid_days, expires_at)
       SELECT gen_random_uuid(), $1, 7, now() + interval '7 days' FROM generate_series(1, $2)`,
      [listing.id, MAX_OPEN_INVITATIONS],
    )
    expect(await resend(link.id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Revoke one') },
    })
    await service.database.admin.query(
      `UPDATE listing.invitation SET revoked_at = now() WHERE id = (
         SELECT id FROM listing.invitation WHERE listing_id = $1 AND expires_at > now() LIMIT 1)`,
      [listing.id],
    )
    expect(await resend(link.id)).toMatchObject({ status: 201 })
    // It is open now, and is sent again like every other open one.
    expect(await resend(link.id)).toMatchObject({ status: 201 })
  })

  it('finds old ones that nobody accepted deleted', async () => {
    const [old, kept] = [(await invite(ana)).body, (await invite(ana)).body]
    await ends(old.id, `now() - interval '31 days'`)
    await service.running.app.get(AcceptanceService).run()
    expect((await sent(ana)).body.map(({ id }) => id)).toEqual([kept.id])
  })

  it('finds them by an index, in the order of their time', async () => {
    const cleanup = service.running.app.get(AcceptanceService)
    expect(await cleanupPlan(service.database.admin, 'listing', cleanup)).not.toMatch(/Seq Scan|Sort/)
  })
})

it('stores no link of an invitation, with an idempotency key or without', async () => {
  const key = newId()
  const made = [await invite(ana, {}, listing, { key }), await invite(ana, {}, listing, { key }), await invite(ana)]
  const tokens = made.map(({ body }) => body.token)
  expect(tokens.every(token => token.length > 20)).toBe(true)
  const { rows: tables } = await service.database.admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('listing', 'events')`,
  )
  for (const { name } of tables) {
    const { rows } = await service.database.admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
    expect([name, rows.filter(({ row }) => tokens.some(token => row.includes(token)))]).toEqual([name, []])
  }
})
