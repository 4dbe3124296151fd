import type { DisputeCaseRecord } from '@holdfast/contracts/disputes'
import { MAX_DISPUTES_PER_PARTY } from '@holdfast/kernel/disputes'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aDeal, DEAL_VERSION, type Deal } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'

let disputes: RunningDispute

beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes.stop())

const OPENED = 'dispute.dispute.opened.v1'
const WITHDRAWN = 'dispute.dispute.withdrawn.v1'
const CLOSED = 'dispute.dispute.closed.v1'
const TIME_CHANGED = 'dispute.dispute.time_changed.v1'

/** A repetition comes after a pause of seconds. */
function expectSoon(seconds: number): void {
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(30)
}

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
    expect(disputes.escrow.receivedAbout(deal)).toEqual([
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

  test.each(['ESCROW_WRONG_STATE', 'ESCROW_STOPPED_BY_PROVIDER'])(
    'that escrow refuses (%s) is shown to no user, and can be tried again',
    async code => {
      const deal = aDeal()
      disputes.escrow.refuse(409, code)
      expect(await disputes.file(deal, deal.buyer)).toMatchObject({ status: 409, body: { code } })
      expect(await disputes.stepsOf(deal.id)).toEqual([])
      for (const party of [deal.buyer, deal.seller]) expect(await disputes.listOf(party)).toEqual([])
      disputes.escrow.agree(deal)
      expect((await disputes.file(deal, deal.buyer)).status).toBe(201)
      expect(await disputes.listOf(deal.buyer)).toHaveLength(1)
    },
  )

  test('succeeds once when both parties file at the same moment', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    const answers = await Promise.all([deal.buyer, deal.seller, deal.buyer].map(who => disputes.file(deal, who)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    for (const { status, body } of answers)
      if (status !== 201) expect(['DISPUTE_EXISTS', 'CONFLICT', 'ESCROW_WRONG_STATE']).toContain(body.code)
    expect(await disputes.stepsOf(deal.id)).toMatchObject([{ status: 'open', step: 'settled' }])
    expect(await disputes.published(deal.id)).toEqual([OPENED])
  })

  test('is not said to exist while escrow has not answered it and may refuse it', async () => {
    const deal = aDeal()
    const call = disputes.escrow.stall(deal)
    const first = disputes.file(deal, deal.buyer)
    await call.received
    const second = await disputes.file(deal, deal.buyer)
    expect(second).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('Try again') },
    })
    call.answer(409, 'ESCROW_WRONG_STATE')
    expect(await first).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
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
    expect(await disputes.file(deal, deal.buyer)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    disputes.escrow.agree(deal)
    await disputes.retry(row!.id)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id: row!.id, status: 'open' }])
    expect(new Set(disputes.escrow.receivedAbout(deal).map(({ body }) => body.disputeId))).toEqual(new Set([row!.id]))
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

describe('a dispute of an older release, whose price is not known', () => {
  const readBy = async ({ id, buyer }: { id: number; buyer: UserActor }) =>
    (await disputes.client.request<DisputeCaseRecord>('GET', `/internal/disputes/${id}`, { actor: buyer })).body
  const forget = (id: number) =>
    disputes.database.admin.query(
      `UPDATE dispute.dispute SET price_minor = NULL, title = 'Transaction #' || transaction_id WHERE id = $1`,
      [id],
    )

  test('says so, and learns it from escrow', async () => {
    const { deal, id } = await disputed()
    await forget(id)
    expect(await readBy({ id, buyer: deal.buyer })).toMatchObject({ amount: null, title: `Transaction #${deal.id}` })
    await disputes.retry(id)
    expect(await readBy({ id, buyer: deal.buyer })).toMatchObject({ amount: '100.00', title: 'Camera', status: 'open' })
    expect(await disputes.secondsToRetry(id)).toBeNull()
    expect(await disputes.published(deal.id)).toEqual([OPENED])
  })

  test('stays unknown when escrow refuses to say it, and escrow is not asked again', async () => {
    const { deal, id } = await disputed()
    await forget(id)
    disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
    await disputes.retry(id)
    expect(await readBy({ id, buyer: deal.buyer })).toMatchObject({ amount: null, status: 'open' })
    expect(await disputes.secondsToRetry(id)).toBeNull()
  })
})

describe('withdrawing a dispute', () => {
  test('is allowed to the party that filed it, resumes the deal and closes the dispute', async () => {
    const { deal, id } = await disputed()
    expect((await disputes.withdraw(id, userActor())).status).toBe(404)
    expect(await disputes.withdraw(id, deal.seller)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const { status, body } = await disputes.withdraw(id, deal.buyer)
    expect([status, body.status]).toEqual([200, 'closed'])
    expect(disputes.escrow.receivedAbout(deal).at(-1)).toEqual({
      path: `/internal/transactions/${deal.id}/resume`,
      body: { disputeId: id, withdrawnBy: deal.buyer.id, dealVersion: DEAL_VERSION },
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
    expect(disputes.escrow.receivedAbout(deal)).toEqual([])
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
      {
        status: 'closed',
        resolution: 'The buyer’s bank has decided that the payment stands. The transaction went on.',
      },
    ])
  })

  test('keeps the dispute that a party has filed, until the lost chargeback ends the deal', async () => {
    const { deal, id } = await disputed()
    await disputes.bankDecided(deal, 'won', 'disputed')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id, status: 'open' }])
    await disputes.bankDecided(deal, 'lost', 'cancelled')
    await disputes.dealCancelled(deal, 'chargeback')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([
      { id, status: 'closed', resolution: 'The buyer’s bank has given the payment back to the buyer.' },
    ])
    expect(await disputes.published(deal.id)).toEqual([OPENED, 'dispute.dispute.closed.v1'])
  })

  test('cannot be disputed by a party for the reason of the system', async () => {
    const deal = aDeal()
    const body = { transactionId: deal.id, reason: 'chargeback', description: 'My bank.' }
    expect((await disputes.client.request('POST', '/api/disputes', { actor: deal.buyer, body })).status).toBe(400)
  })
})

test('the dispute about a refund made at the provider is closed when the deal goes on or is refunded', async () => {
  for (const end of [
    (deal: Deal) => disputes.refundFailed(deal, 'inspection'),
    (deal: Deal) => disputes.dealCancelled(deal, 'refund'),
  ]) {
    const deal = aDeal()
    await disputes.escrowFroze(deal, 'provider_refund')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'open', reason: 'provider_refund' }])
    await end(deal)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'closed' }])
  }
})

describe('a deal that a late call has frozen for a dispute that is closed', () => {
  const retried = async (deal: Deal, id: number) => {
    disputes.escrow.agree(deal)
    const before = disputes.escrow.receivedAbout(deal).length
    await disputes.retry(id)
    return disputes.escrow.receivedAbout(deal).slice(before)
  }

  test('is resumed once escrow publishes it, and the withdrawal is not published again', async () => {
    const { deal, id } = await disputed()
    await disputes.withdraw(id, deal.buyer)
    await disputes.escrowFroze(deal, 'filed', id)
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'closed', step: 'resuming' }])
    expect(await retried(deal, id)).toEqual([
      { path: `/internal/transactions/${deal.id}/resume`, body: { disputeId: id } },
    ])
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'closed', step: 'settled' }])
    expect(await disputes.published(deal.id)).toEqual([OPENED, WITHDRAWN])
  })

  test('is resumed when escrow had refused the filing before', async () => {
    const deal = aDeal()
    disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
    await disputes.file(deal, deal.buyer)
    const [id] = await disputes.refusedOn(deal.id)
    await disputes.escrowFroze(deal, 'filed', id)
    expect(await retried(deal, id!)).toMatchObject([{ path: `/internal/transactions/${deal.id}/resume` }])
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ id, status: 'closed' }])
    expect(await disputes.published(deal.id)).toEqual([])
  })

  test('is resumed until escrow answers', async () => {
    const { deal, id } = await disputed()
    await disputes.withdraw(id, deal.buyer)
    await disputes.escrowFroze(deal, 'filed', id)
    disputes.escrow.answer = () => null
    await expect(disputes.retry(id)).rejects.toThrow()
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'closed', step: 'resuming' }])
    expect(await retried(deal, id)).toHaveLength(1)
  })

  test('stays frozen when the dispute is open', async () => {
    const { deal, id } = await disputed()
    await disputes.escrowFroze(deal, 'filed', id)
    expect(await disputes.stepsOf(deal.id)).toEqual([{ id, status: 'open', step: 'settled' }])
  })

  test('is counted and stays frozen when no such dispute exists, because only an operator knows why', async () => {
    const deal = aDeal()
    const before = await disputes.metric('dispute_unknown_freezes_total')
    await disputes.escrowFroze(deal, 'filed', 9_000_000)
    expect(await disputes.metric('dispute_unknown_freezes_total')).toBe(before + 1)
    expect(disputes.escrow.receivedAbout(deal)).toEqual([])
  })
})

test('a filing whose first call is refused because it arrives after the withdrawal answers with the closed dispute', async () => {
  const { deal, id } = await disputed()
  await disputes.withdraw(id, deal.buyer)
  const stalled = disputes.escrow.stall(deal)
  const filing = disputes.file(deal, deal.buyer)
  const first = await stalled.received
  disputes.escrow.agree(deal)
  await disputes.retry(first.body.disputeId)
  await disputes.withdraw(first.body.disputeId, deal.buyer)
  stalled.answer(409, 'DISPUTE_ENDED')
  expect(await filing).toMatchObject({ status: 201, body: { id: first.body.disputeId, status: 'closed' } })
})

describe('a dispute whose deal has ended', () => {
  test('while the answer to its freeze was on its way is closed, so that no dispute stays open without a frozen deal', async () => {
    const deal = aDeal()
    const stalled = disputes.escrow.stall(deal)
    const filing = disputes.file(deal, deal.buyer)
    const { body } = await stalled.received
    await disputes.dealCancelled(deal, 'chargeback')
    stalled.freeze(deal)
    expect(await filing).toMatchObject({
      status: 201,
      body: { id: body.disputeId, status: 'closed', resolution: expect.stringContaining('bank') },
    })
    expect(await disputes.published(deal.id)).toEqual([OPENED, CLOSED])
  })

  test.each([
    ['dispute_ended', 'receive_by', (deal: Deal) => disputes.escrowEndedDispute(deal, 'recordDelivery'), 1],
    ['chargeback_closed', 'chargeback', (deal: Deal) => disputes.bankDecided(deal, 'won', 'shipped'), 1],
    ['refund_failed', 'provider_refund', (deal: Deal) => disputes.refundFailed(deal, 'shipped'), 1],
    ['cancelled', 'chargeback', (deal: Deal) => disputes.dealCancelled(deal, 'chargeback'), 0],
  ] as const)('is not opened when its event is replayed after %s', async (_, cause, end, disputesAfterwards) => {
    const deal = aDeal()
    const before = new Date(Date.now() - 60_000)
    await end(deal)
    await disputes.escrowFroze(deal, cause, null, before)
    expect(await disputes.stepsOf(deal.id)).toEqual([])
    // A freeze after the end is another dispute.
    await disputes.escrowFroze(deal, cause)
    expect(await disputes.stepsOf(deal.id)).toHaveLength(disputesAfterwards)
  })
})

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])(
  'a call with an unknown outcome is repeated soon, also by a process whose clock has jumped an hour %s',
  async (_, byMs) => {
    const { deal, id } = await disputed()
    disputes.escrow.answer = () => null
    jest.spyOn(disputes.running.app.get(Clock), 'now').mockImplementation(() => new Date(Date.now() + byMs))
    try {
      // Requests are signed by another clock, and a process whose clock is that wrong refuses them.
      await expect(disputes.service.withdraw(id, deal.buyer.id)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      expectSoon(await disputes.secondsToRetry(id))
      const other = aDeal()
      const filed = { transactionId: other.id, reason: 'other', description: 'It is late.' } as const
      await expect(disputes.service.file(other.buyer.id, filed)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      const [filing] = await disputes.stepsOf(other.id)
      expectSoon(await disputes.secondsToRetry(filing!.id))
    } finally {
      jest.restoreAllMocks()
    }
  },
)

describe('a dispute of the system that escrow has ended', () => {
  test.each([
    ['recordDelivery', 'The carrier reported that the item was delivered.'],
    ['confirmDelivery', 'The buyer confirmed that the item arrived.'],
    ['refund', 'The seller refunded the buyer in full.'],
  ] as const)('by %s is closed with its reason, and published', async (cause, resolution) => {
    const deal = aDeal()
    await disputes.escrowFroze(deal, 'receive_by')
    await disputes.escrowEndedDispute(deal, cause)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'closed', resolution }])
    expect(await disputes.published(deal.id)).toEqual([OPENED, 'dispute.dispute.closed.v1'])
  })

  test('is not closed when the event about the end of an earlier one is replayed', async () => {
    const deal = aDeal()
    const endOfEarlier = new Date(Date.now() - 60_000)
    await disputes.escrowFroze(deal, 'provider_refund')
    await disputes.escrowEndedDispute(deal, 'recordDelivery', endOfEarlier)
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'open' }])
    await disputes.refundFailed(deal, 'shipped')
    expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'closed' }])
  })
})

describe('a dispute of a deal that the provider stopped for a chargeback and for a refund by hand', () => {
  const bankDecided = (status: 'disputed' | 'shipped') => (deal: Deal) => disputes.bankDecided(deal, 'won', status)
  const refundFailed = (status: 'disputed' | 'shipped') => (deal: Deal) => disputes.refundFailed(deal, status)

  test.each([
    [
      'chargeback',
      bankDecided('disputed'),
      refundFailed('shipped'),
      'The buyer’s bank has decided that the payment stands. The transaction went on.',
    ],
    [
      'provider_refund',
      refundFailed('disputed'),
      bankDecided('shipped'),
      'The refund failed, so the transaction went on.',
    ],
  ] as const)(
    'that was opened for the %s is closed when the other reason ends last',
    async (cause, first, last, resolution) => {
      const deal = aDeal()
      await disputes.escrowFroze(deal, cause)
      await first(deal)
      expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'open' }])
      await last(deal)
      expect(await disputes.listOf(deal.buyer)).toMatchObject([{ status: 'closed', resolution }])
      expect(await disputes.published(deal.id)).toEqual(
        cause === 'chargeback' ? [OPENED, TIME_CHANGED, CLOSED] : [OPENED, CLOSED],
      )
    },
  )
})

describe('a request that is repeated with its idempotency key', () => {
  test('to file gets the first dispute, also after it was closed', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    const first = await disputes.file(deal, deal.buyer, 'filing-1')
    expect(await disputes.file(deal, deal.buyer, 'filing-1')).toMatchObject({ status: 201, body: first.body })
    await disputes.withdraw(first.body.id, deal.buyer)
    const again = await disputes.file(deal, deal.buyer, 'filing-1')
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, status: 'closed' } })
    expect(await disputes.stepsOf(deal.id)).toHaveLength(1)
  })

  test('to file, several times at the same moment, files once and gives every request the same dispute', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    const answers = await Promise.all([1, 2, 3, 4].map(() => disputes.file(deal, deal.buyer, 'filing-2')))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await disputes.published(deal.id)).toEqual([OPENED])
  })

  test('to file is carried out while the first answer is unknown, and after escrow has refused the first', async () => {
    const deal = aDeal()
    disputes.escrow.answer = () => null
    expect((await disputes.file(deal, deal.buyer, 'filing-3')).status).toBe(503)
    disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
    expect((await disputes.file(deal, deal.buyer, 'filing-3')).status).toBe(409)
    disputes.escrow.agree(deal)
    expect(await disputes.file(deal, deal.buyer, 'filing-3')).toMatchObject({ status: 201, body: { status: 'open' } })
    expect(new Set(disputes.escrow.receivedAbout(deal).map(({ body }) => body.disputeId)).size).toBe(1)
  })

  test('to file again after a refusal of escrow is refused while another filing of the same party is being written', async () => {
    const deal = aDeal()
    disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
    expect((await disputes.file(deal, deal.buyer, 'filing-5')).status).toBe(409)
    const commit = await disputes.writeFiling(deal)
    const again = disputes.file(deal, deal.buyer, 'filing-5')
    const waiting =
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0'
    await eventually(async () => (await disputes.database.admin.query(waiting)).rowCount)
    await commit()
    expect(await again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  test('is refused when its content differs', async () => {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    await disputes.file(deal, deal.buyer, 'filing-4')
    const refused = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }
    expect(await disputes.file(deal, deal.buyer, 'filing-4', 'Another text.')).toMatchObject(refused)
  })

  test('to withdraw gets the closed dispute, and is carried out when escrow had refused the first', async () => {
    const { deal, id } = await disputed()
    disputes.escrow.refuse(409, 'CONFLICT')
    expect((await disputes.withdraw(id, deal.buyer, 'withdrawal-1')).status).toBe(409)
    disputes.escrow.agree(deal)
    for (let n = 0; n < 2; n++)
      expect(await disputes.withdraw(id, deal.buyer, 'withdrawal-1')).toMatchObject({
        status: 200,
        body: { id, status: 'closed' },
      })
    expect(await disputes.withdraw(id, deal.buyer, 'withdrawal-2')).toMatchObject({ status: 409 })
    expect(await disputes.published(deal.id)).toEqual([OPENED, WITHDRAWN])
  })

  test('to withdraw, several times at the same moment, gives every request the closed dispute', async () => {
    const { deal, id } = await disputed()
    const answers = await Promise.all([1, 2, 3].map(() => disputes.withdraw(id, deal.buyer, 'withdrawal-3')))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: 'closed' } })
    expect(await disputes.published(deal.id)).toEqual([OPENED, WITHDRAWN])
  })
})
