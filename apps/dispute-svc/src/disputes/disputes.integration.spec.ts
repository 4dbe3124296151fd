import { MAX_DISPUTES_PER_PARTY } from '@holdfast/kernel/disputes'
import { userActor } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { aDeal, RunningDispute } from '../../test/running-dispute.js'

// A busy machine needs more time.
jest.setTimeout(60_000)

let disputes: RunningDispute

beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes.stop())
beforeEach(() => {
  disputes.escrow.received.length = 0
})

const OPENED = 'dispute.dispute.opened.v1'
const WITHDRAWN = 'dispute.dispute.withdrawn.v1'

/** A deal with a dispute that its buyer filed. */
async function disputed() {
  const deal = aDeal()
  disputes.escrow.agree(deal)
  const { status, body } = await disputes.file(deal, deal.buyer)
  expect(status).toBe(201)
  return { deal, id: body.id }
}

describe('filing a dispute', () => {
  test('freezes the deal first, then is published, and shown to both parties and no other user', async () => {
    const { deal, id } = await disputed()
    expect(disputes.escrow.received).toEqual([
      { path: `/internal/transactions/${deal.id}/freeze`, body: { disputeId: id, reporterId: deal.buyer.id } },
    ])
    for (const party of [deal.buyer, deal.seller])
      expect(await disputes.listOf(party)).toMatchObject([{ id, status: 'open', reporterId: deal.buyer.id }])
    expect(await disputes.published(deal.id)).toEqual([OPENED])
    const stranger = userActor()
    expect(await disputes.listOf(stranger)).toEqual([])
    for (const [path, who] of [
      [`/api/disputes/${id}`, stranger],
      [`/api/disputes/user/${deal.buyer.id}`, deal.seller],
    ] as const)
      expect((await disputes.client.request('GET', path, { actor: who })).status).toBe(404)
  })

  test('that escrow refuses stores nothing, and can be tried again', async () => {
    const deal = aDeal()
    disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
    expect(await disputes.file(deal, deal.buyer)).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    expect(await disputes.stepsOf(deal.id)).toEqual([])
    disputes.escrow.agree(deal)
    expect((await disputes.file(deal, deal.buyer)).status).toBe(201)
  })

  test('succeeds once when both parties file at the same moment', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    const answers = await Promise.all([deal.buyer, deal.seller, deal.buyer].map(who => disputes.file(deal, who)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    for (const { status, body } of answers)
      if (status !== 201) expect(['DISPUTE_EXISTS', 'ESCROW_WRONG_STATE']).toContain(body.code)
    expect(await disputes.stepsOf(deal.id)).toMatchObject([{ status: 'open', step: 'settled' }])
    expect(await disputes.published(deal.id)).toEqual([OPENED])
  })

  test.each([
    ['breaks off', null],
    ['fails', { status: 500, body: { code: 'INTERNAL' } }],
    ['does not accept our signature', { status: 403, body: { code: 'FORBIDDEN' } }],
    ['does not know the route yet', { status: 404, body: { code: 'NOT_FOUND' } }],
  ])('is kept while escrow %s: no party sees it, and the freeze is repeated with its id', async (_, answer) => {
    const deal = aDeal()
    disputes.escrow.answer = () => answer
    expect(await disputes.file(deal, deal.buyer)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    const [row] = await disputes.stepsOf(deal.id)
    expect(row).toMatchObject({ status: 'open', step: 'freezing' })
    expect(await disputes.listOf(deal.buyer)).toEqual([])
    expect(await disputes.file(deal, deal.buyer)).toMatchObject({ status: 409, body: { code: 'DISPUTE_EXISTS' } })
    disputes.escrow.agree(deal)
    await disputes.retry(row!.id)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id: row!.id, status: 'open' }])
    expect(new Set(disputes.escrow.received.map(({ body }) => body.disputeId))).toEqual(new Set([row!.id]))
    expect(await disputes.published(deal.id)).toEqual([OPENED])
  })
})

describe('a filing of a user who is not a party', () => {
  test('does not prevent a party from filing while escrow has not answered it', async () => {
    const deal = aDeal()
    const strangers = [userActor(), userActor()]
    disputes.escrow.answer = () => null
    for (const stranger of strangers) expect((await disputes.file(deal, stranger)).status).toBe(503)
    disputes.escrow.agree(deal)
    expect((await disputes.file(deal, deal.buyer)).status).toBe(201)
    expect(await disputes.listOf(deal.seller)).toMatchObject([{ reporterId: deal.buyer.id }])
  })

  test('does not reveal that the deal has a dispute', async () => {
    const { deal } = await disputed()
    expect(await disputes.file(deal, userActor())).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND' },
    })
  })

  test('does not prevent the system from filing', async () => {
    const deal = aDeal()
    disputes.escrow.answer = () => null
    await Promise.all([userActor(), deal.buyer].map(who => disputes.file(deal, who)))
    await disputes.escrowFroze(deal, 'receive_by')
    expect(await disputes.listOf(deal.seller)).toMatchObject([{ status: 'open', reporterId: null }])
  })

  test('is refused when escrow has not answered too many of them', async () => {
    const eager = userActor()
    disputes.escrow.answer = () => null
    for (let i = 0; i < 10; i++) expect((await disputes.file(aDeal(), eager)).status).toBe(503)
    expect(await disputes.file(aDeal(), eager)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })
})

describe('withdrawing a dispute', () => {
  test('is allowed to the party that filed it, resumes the deal and closes the dispute', async () => {
    const { deal, id } = await disputed()
    expect((await disputes.withdraw(id, userActor())).status).toBe(404)
    expect(await disputes.withdraw(id, deal.seller)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const { status, body } = await disputes.withdraw(id, deal.buyer)
    expect([status, body.status]).toEqual([200, 'closed'])
    expect(disputes.escrow.received.at(-1)).toEqual({
      path: `/internal/transactions/${deal.id}/resume`,
      body: { disputeId: id, withdrawnBy: deal.buyer.id },
    })
    expect(await disputes.withdraw(id, deal.buyer)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await disputes.published(deal.id)).toEqual([OPENED, WITHDRAWN])
    expect((await disputes.file(deal, deal.seller)).status).toBe(201)
  })

  test('allows the same party to file again a limited number of times, and the other party afterwards', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    for (let i = 0; i < MAX_DISPUTES_PER_PARTY; i++) {
      const { status, body } = await disputes.file(deal, deal.buyer)
      expect([status, (await disputes.withdraw(body.id, deal.buyer)).status]).toEqual([201, 200])
    }
    expect(await disputes.file(deal, deal.buyer)).toMatchObject({
      status: 409,
      body: { code: 'DISPUTE_WITHDRAWN_TOO_OFTEN' },
    })
    expect((await disputes.file(deal, deal.seller)).status).toBe(201)
  })

  test('is repeated until it reaches escrow', async () => {
    const { deal, id } = await disputed()
    disputes.escrow.answer = () => null
    expect((await disputes.withdraw(id, deal.buyer)).status).toBe(503)
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'open', step: 'resuming' }])
    disputes.escrow.agree(deal)
    await disputes.retry(id)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id, status: 'closed' }])
    expect(await disputes.published(deal.id)).toEqual([OPENED, WITHDRAWN])
  })
})

test('a withdrawal whose answer was lost closes the dispute, also when another dispute has frozen the deal since', async () => {
  const { deal, id } = await disputed()
  const details = { disputeId: id + 1_000 }
  disputes.escrow.answer = () => ({ status: 409, body: { code: 'CONFLICT', message: 'no', details } })
  expect(await disputes.withdraw(id, deal.buyer)).toMatchObject({ status: 200, body: { status: 'closed' } })
})

describe('a withdrawal that escrow refuses', () => {
  test('leaves the dispute open, and can be tried again', async () => {
    const { deal, id } = await disputed()
    disputes.escrow.refuse(409, 'CONFLICT')
    expect(await disputes.withdraw(id, deal.buyer)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'open', step: 'settled' }])
    expect(await disputes.published(deal.id)).toEqual([OPENED])
    disputes.escrow.agree(deal)
    expect((await disputes.withdraw(id, deal.buyer)).status).toBe(200)
  })
})

describe('a deal that escrow itself froze', () => {
  test('gets one dispute of the system, without a call to escrow', async () => {
    const deal = aDeal()
    await disputes.escrowFroze(deal, 'receive_by')
    await disputes.escrowFroze(deal, 'receive_by')
    expect(await disputes.listOf(deal.seller)).toMatchObject([{ status: 'open', reporterId: null }])
    expect(await disputes.published(deal.id)).toEqual([OPENED])
    expect(disputes.escrow.received).toEqual([])
    const other = aDeal()
    await disputes.escrowFroze(other, 'filed')
    expect(await disputes.listOf(other.buyer)).toEqual([])
  })
})

describe('a deal whose payment the buyer’s bank disputes', () => {
  test('gets a dispute of its own kind, which is closed when the deal goes on', async () => {
    const deal = aDeal()
    await disputes.escrowFroze(deal, 'chargeback')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([
      { status: 'open', reason: 'chargeback', reporterId: null },
    ])
    await disputes.bankDecided(deal, 'won', 'inspection')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([
      { status: 'closed', resolution: 'The buyer’s bank has decided that the payment stands.' },
    ])
  })

  test('keeps the dispute that a party has filed, until the lost chargeback ends the deal', async () => {
    const { deal, id } = await disputed()
    await disputes.bankDecided(deal, 'won', 'disputed')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id, status: 'open' }])
    await disputes.bankDecided(deal, 'lost', 'cancelled')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id, status: 'closed' }])
  })

  test('cannot be disputed by a party for the reason of the system', async () => {
    const deal = aDeal()
    const body = { transactionId: deal.id, reason: 'chargeback', description: 'My bank.' }
    expect((await disputes.client.request('POST', '/api/disputes', { actor: deal.buyer, body })).status).toBe(400)
  })
})
