import type { SentInvitation } from '@holdfast/contracts/invitations'
import type { PartyUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

describe('an invitation', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  const id = newId()
  const link = {
    id,
    token: 'secret',
    url: 'http://localhost:3000/invitation/secret',
    expiresAt: '2026-12-01T00:00:00.000Z',
  }
  const aSent = {
    id,
    message: null,
    createdAt: '2026-11-24T00:00:00.000Z',
    expiresAt: '2026-12-01T00:00:00.000Z',
    status: 'open' as const,
    acceptedBy: null,
  }
  let sent: SentInvitation
  let owner: PartyUser
  let token: string

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    owner = aPerson('Ben')
    token = services.signIn({ id: owner.id }).token
    services.on('identity-svc', 'POST', '/internal/users/lookup', () => [owner])
    services.on('identity-svc', 'POST', '/internal/users/blocked-mailbox', ({ body }) => {
      const { email, userId } = JSON.parse(body.toString()) as { email: string; userId: string }
      return { isBlocked: email === 'blocker@example.com' && userId === owner.id }
    })
    services.on('listing-svc', 'GET', '/api/listings/7/invitations', () => [sent])
    sent = { ...aSent, inviteeEmail: 'eve@example.com' }
    for (const path of ['/internal/listings/7/invitations', `/internal/listings/7/invitations/${id}/resend`])
      services.on('listing-svc', 'POST', path, (_, reply) => reply.code(201).send(link))
  })

  const post = (path: string, body?: object) =>
    gateway.ask('POST', `/api/listings/7/invitations${path}`, { token, body })
  const forwarded = () =>
    services.received
      .filter(({ url }) => url.startsWith('/internal/listings'))
      .map(({ body }) => JSON.parse(body.toString()))
  const lookups = () => services.received.filter(({ url }) => url === '/internal/users/lookup')

  it('by mail says whether its sender has confirmed their address, as it is at this moment', async () => {
    for (const emailConfirmed of [false, true]) {
      owner = { ...owner, emailConfirmed }
      expect((await post('', { inviteeEmail: 'Eve@Example.com' })).status).toBe(201)
      expect((await post(`/${id}/resend`)).status).toBe(201)
    }
    expect(forwarded().map(body => body.ownerConfirmed)).toEqual([false, false, true, true])
    expect(forwarded()[0].invitation).toMatchObject({ inviteeEmail: 'Eve@Example.com', expiresInDays: 7 })
  })

  it('is not mailed to somebody who has blocked its sender, and is answered like any other', async () => {
    const answer = await post('', { inviteeEmail: 'blocker@example.com' })
    expect([answer.status, await answer.json()]).toEqual([201, link])
    await post('', { inviteeEmail: 'eve@example.com' })
    await post(`/${id}/resend`)
    sent = { ...aSent, inviteeEmail: 'blocker@example.com' }
    await post(`/${id}/resend`)
    expect(forwarded().map(body => body.isMailed)).toEqual([false, true, true, false])
  })

  it('by a link needs no confirmed address, so nobody is asked for it', async () => {
    owner = { ...owner, emailConfirmed: false }
    const answer = await post('', { message: 'For you' })
    expect([answer.status, await answer.json()]).toEqual([201, link])
    expect(forwarded()).toEqual([
      { invitation: { message: 'For you', expiresInDays: 7 }, ownerConfirmed: true, isMailed: true },
    ])
    expect(lookups()).toEqual([])
  })

  it('is accepted by the user as they are at this moment, and by nobody whom identity-svc does not know', async () => {
    services.on('listing-svc', 'POST', '/internal/invitations/accept', () => ({ listingId: 7 }))
    const accept = () => gateway.codeOf('POST', '/api/invitation/secret/accept', { token })
    const emails = ['old@example.com', 'new@example.com']
    for (const email of emails) {
      owner = { ...owner, email }
      expect(await accept()).toEqual([200, null])
    }
    services.on('identity-svc', 'POST', '/internal/users/lookup', () => [])
    expect(await accept()).toEqual([401, 'UNAUTHENTICATED'])
    const accepted = services.received.filter(({ url }) => url === '/internal/invitations/accept')
    expect(accepted.map(({ body }) => JSON.parse(body.toString()))).toMatchObject(
      emails.map(email => ({ token: 'secret', user: { id: owner.id, email } })),
    )
  })

  it('is refused by the name of the wrong field', async () => {
    const answer = await post('', { inviteeEmail: 'nobody' })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { fields: { inviteeEmail: expect.any(String) } } },
    ])
    expect(forwarded()).toEqual([])
  })
})
