import type { ActOutcome, AdjustmentPreview, Approval } from '@holdfast/contracts/admin-escrow'
import { newId } from '@holdfast/kernel/ids'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../../test/running-escrow.js'

/** What the parties of a refunded deal read. */
const REASON_FOR_PARTIES = 'The seller told us that the item is broken.'

const known = new Set<string>()
const admin = () => {
  const actor = { ...userActor(), role: 'admin' as const }
  known.add(actor.id)
  return actor
}
type Admin = ReturnType<typeof admin>

describe('what operators do with money', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const post = <T>(path: string, actor: Admin, body: object, key?: string) =>
    escrow.request<T & { code?: string }>('POST', path, {
      actor,
      body: { reason: 'The seller asked us to', ...body },
      ...(key && { headers: { 'idempotency-key': key } }),
    })
  const forceRefund = (id: number, actor: Admin, key?: string) =>
    post<ActOutcome>(`/api/admin/transactions/${id}/refund`, actor, { reasonForParties: REASON_FOR_PARTIES }, key)
  const adjust = (actor: Admin, body: object, key?: string) =>
    post<ActOutcome>('/api/admin/ledger/adjustments', actor, { currency: 'USD', ...body }, key)
  /** The admins who do not count yet. All others were appointed long enough ago. */
  const tooNew = new Set<string>()
  const decide = (id: string, actor: Admin, decision: 'approve' | 'reject') =>
    post<Approval>(`/internal/admin/approvals/${id}`, actor, {
      decision,
      approvers: [...known].filter(each => !tooNew.has(each)),
    })
  const actsOn = async (subject: string) =>
    (await escrow.request<{ act: string }[]>('GET', `/internal/admin/acts?subject=${encodeURIComponent(subject)}`)).body

  /** A deal whose refund needs a second admin. */
  const large = () => escrow.paid({ price: '900.00' })
  /** A request for its refund, which waits. */
  async function asked(by = admin()) {
    const deal = await large()
    const { body } = await forceRefund(deal.id, by)
    expect(body).toEqual({ state: 'waiting', approvalId: expect.any(String) })
    return { deal, by, id: body.approvalId! }
  }
  const refundsOf = async (id: number) =>
    (await escrow.entries(id)).filter(kind => kind === 'refund' || kind === 'release')

  it('refund a small deal at once, in every state that holds money, and keep the act', async () => {
    const by = admin()
    const deals = [await escrow.paid(), await escrow.inInspection(), await escrow.paid()]
    await escrow.dispute(deals[2]!.id, 'freeze', 7, deals[2]!.buyer.id)
    for (const { id } of deals) {
      expect(await forceRefund(id, by)).toMatchObject({ status: 200, body: { state: 'done', approvalId: null } })
      expect(await escrow.status(id)).toBe('cancelled')
      expect(await refundsOf(id)).toEqual(['refund'])
    }
    expect(await actsOn(`transaction:${deals[2]!.id}`)).toMatchObject([
      {
        act: 'refund.force',
        actorId: by.id,
        before: { status: 'disputed', held: '107.00' },
        after: { status: 'cancelled', held: '0.00' },
        reason: 'The seller asked us to',
      },
    ])
    // The call that freezes the deal comes a second time.
    expect((await escrow.dispute(deals[2]!.id, 'freeze', 7, deals[2]!.buyer.id)).status).toBe(409)
    expect(await escrow.violations()).toEqual([])
  })

  it('tell both parties why they refunded a deal, and where its item was, and keep their own reason to themselves', async () => {
    const disputed = await escrow.paid()
    await escrow.act(disputed.id, disputed.seller, 'tracking', { trackingNumber: `T${disputed.id}` })
    await escrow.dispute(disputed.id, 'freeze', 8, disputed.buyer.id)
    const deals = [
      { deal: await escrow.paid(), item: 'with_seller' },
      { deal: disputed, item: 'on_its_way' },
      { deal: await escrow.inInspection(), item: 'with_buyer' },
    ]
    for (const { deal, item } of deals) {
      await forceRefund(deal.id, admin())
      for (const actor of [deal.buyer, deal.seller]) {
        const path = `/api/transactions/${deal.id}`
        const { body: steps } = await escrow.request<{ kind: string }[]>('GET', `${path}/timeline`, { actor })
        expect(steps.filter(({ kind }) => kind === 'forceRefund')).toMatchObject([{ reason: REASON_FOR_PARTIES }])
        expect(JSON.stringify(steps)).not.toContain('The seller asked us to')
        const shown = await escrow.request('GET', `/internal/transactions/${deal.id}`, { actor })
        expect(shown).toMatchObject({ body: { forcedRefund: { reason: REASON_FOR_PARTIES } } })
      }
      const { payload } = await escrow.row<{ payload: object }>(
        `SELECT payload::jsonb FROM escrow.outbox WHERE key = $1 AND type = 'escrow.transaction.refunded.v1'
         UNION ALL SELECT payload::jsonb FROM events.log WHERE key = $1 AND type = 'escrow.transaction.refunded.v1'`,
        [String(deal.id)],
      )
      expect(payload).toMatchObject({ cause: 'forceRefund', forced: { reason: REASON_FOR_PARTIES, item } })
    }
    const own = await escrow.paid()
    await escrow.act(own.id, own.seller, 'refund')
    expect(await escrow.request('GET', `/internal/transactions/${own.id}`, { actor: own.buyer })).toMatchObject({
      body: { forcedRefund: null },
    })
  })

  it('refuse a refund of a deal that holds nothing, of an unknown deal, and without a reason', async () => {
    const by = admin()
    const { id } = await escrow.open()
    expect(await forceRefund(id, by)).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    expect(await forceRefund(999_999, by)).toMatchObject({ status: 404 })
    for (const body of [{ reasonForParties: REASON_FOR_PARTIES, reason: ' ' }, { reasonForParties: ' ' }, {}])
      expect(await post(`/api/admin/transactions/${id}/refund`, by, body)).toMatchObject({ status: 400 })
    expect(await actsOn(`transaction:${id}`)).toEqual([])
  })

  it('do not do it themselves when they are a party of the deal', async () => {
    const seller = admin()
    const small = await escrow.open({}, userActor(), seller)
    expect(await forceRefund(small.id, seller)).toMatchObject({ status: 409 })
    const { deal, id } = await asked()
    const party = { ...deal.buyer, role: 'admin' as const }
    known.add(party.id)
    expect(await decide(id, party, 'approve')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await forceRefund(deal.id, party)).toMatchObject({ status: 403 })
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('are told above which amount a second admin is needed', async () => {
    expect(await escrow.request('GET', '/api/admin/approvals/limit', { actor: admin() })).toMatchObject({
      status: 200,
      body: { amount: '500.00', currency: 'USD' },
    })
  })

  it('need a second admin above the amount, who is not the first', async () => {
    const { deal, by, id } = await asked()
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await decide(id, by, 'approve')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const second = admin()
    expect(await decide(id, second, 'approve')).toMatchObject({ status: 200, body: { state: 'approved' } })
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await decide(id, second, 'approve')).toMatchObject({ status: 409 })
    expect((await actsOn(`transaction:${deal.id}`))[0]).toMatchObject({
      act: 'refund.force',
      actorId: second.id,
      after: { askedBy: by.id, approvalId: id },
    })
    expect(await actsOn(`approval:${id}`)).toMatchObject([{ act: 'approval.ask', actorId: by.id }])
    expect(await escrow.violations()).toEqual([])
  })

  it('cannot approve as a second account that the first one has just appointed, and not the other way round', async () => {
    const [own, second] = [admin(), admin()]
    tooNew.add(second.id)
    const byOwn = await asked(own)
    expect(await decide(byOwn.id, second, 'approve')).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_TOO_NEW', details: { who: 'approver' } },
    })
    const bySecond = await asked(second)
    expect(await decide(bySecond.id, own, 'approve')).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_TOO_NEW', details: { who: 'asker' } },
    })
    for (const { deal, id } of [byOwn, bySecond]) {
      expect(await escrow.status(deal.id)).toBe('paid')
      expect(await decide(id, second, 'reject')).toMatchObject({ status: 200 })
    }
  })

  it('get the first answer for a repeated request, and a refusal for another reason with the same key', async () => {
    const [by, deal] = [admin(), await escrow.paid()]
    const first = await forceRefund(deal.id, by, 'again')
    expect(await forceRefund(deal.id, by, 'again')).toMatchObject({ status: 200, body: first.body })
    const body = { reasonForParties: REASON_FOR_PARTIES, reason: 'Another reason' }
    expect(await post(`/api/admin/transactions/${deal.id}/refund`, by, body, 'again')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
    expect(await refundsOf(deal.id)).toEqual(['refund'])
  })

  it('reject a request, also one of their own, and it is not done', async () => {
    for (const own of [true, false]) {
      const { deal, by, id } = await asked()
      expect(await decide(id, own ? by : admin(), 'reject')).toMatchObject({ body: { state: 'rejected' } })
      expect(await decide(id, admin(), 'approve')).toMatchObject({ status: 409 })
      expect(await escrow.status(deal.id)).toBe('paid')
      expect((await actsOn(`approval:${id}`)).map(({ act }) => act)).toEqual(['approval.reject', 'approval.ask'])
    }
  })

  it('cannot approve a request that has expired, or whose deal has gone on', async () => {
    const old = await asked()
    await escrow.database.admin.query('UPDATE escrow.admin_request SET expires_at = now() WHERE id = $1', [old.id])
    expect(await decide(old.id, admin(), 'approve')).toMatchObject({ status: 410 })
    const other = await asked()
    await escrow.act(other.deal.id, other.deal.seller, 'refund')
    expect(await decide(other.id, admin(), 'approve')).toMatchObject({
      status: 409,
      body: { code: 'ESCROW_WRONG_STATE' },
    })
    expect(await refundsOf(other.deal.id)).toEqual(['refund'])
    const { body } = await escrow.request<Approval[]>('GET', '/api/admin/approvals?state=waiting', { actor: admin() })
    expect(body.map(({ id }) => id)).toContain(other.id)
    expect(body.map(({ id }) => id)).not.toContain(old.id)
  })

  it('decide once, however many admins decide at the same moment', async () => {
    for (const decisions of [
      ['approve', 'approve', 'approve'],
      ['approve', 'reject', 'approve', 'reject'],
    ] as const) {
      for (let i = 0; i < 5; i++) {
        const { deal, id } = await asked()
        const answers = await Promise.all(decisions.map(decision => decide(id, admin(), decision)))
        expect(answers.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1)
        const { state } = answers.find(({ status }) => status === 200)!.body
        expect(await refundsOf(deal.id)).toEqual(state === 'approved' ? ['refund'] : [])
        expect(await escrow.status(deal.id)).toBe(state === 'approved' ? 'cancelled' : 'paid')
      }
    }
    expect(await escrow.violations()).toEqual([])
  })

  it('refund once when the buyer accepts at the same moment', async () => {
    for (let i = 0; i < 10; i++) {
      const deal = await escrow.inInspection()
      const [refund, accept] = await Promise.all([
        forceRefund(deal.id, admin()),
        escrow.act(deal.id, deal.buyer, 'accept'),
      ])
      expect([refund.status, accept.status].sort()).toEqual([200, 409])
      expect(await refundsOf(deal.id)).toEqual([refund.status === 200 ? 'refund' : 'release'])
    }
    expect(await escrow.violations()).toEqual([])
  })

  describe('when they post an entry by hand', () => {
    const seller = newId()
    known.add(seller)
    beforeAll(() =>
      escrow.database.admin.query(
        'INSERT INTO escrow.payout_account (user_id, created_at, updated_at) VALUES ($1, now(), now())',
        [seller],
      ),
    )
    const cost = { debit: 'provider_costs', credit: `seller_payable:${seller}`, amount: '12.34' }

    it('show it in the statements of both accounts, and repeat it only with another key', async () => {
      const by = admin()
      const key = newId()
      const answers = [await adjust(by, cost, key), await adjust(by, cost, key)]
      for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { state: 'done' } })
      const path = `/api/admin/ledger/accounts/${encodeURIComponent(cost.credit)}`
      expect(await escrow.request('GET', path, { actor: by })).toMatchObject({
        body: [
          {
            position: 1,
            entry: 'adjustment',
            transactionId: null,
            other: 'provider_costs',
            side: 'credit',
            amount: '12.34',
            balance: '12.34',
          },
        ],
      })
      for (const account of [cost.debit, cost.credit])
        expect(await actsOn(`account:${account}`)).toMatchObject([
          { act: 'ledger.adjust', before: { [cost.credit]: '0.00' }, after: { [cost.credit]: '12.34' } },
        ])
      expect(await adjust(by, { ...cost, amount: '12.35' }, key)).toMatchObject({ status: 422 })
      expect(await escrow.violations()).toEqual([])
    })

    const preview = (actor: Admin, body: Record<string, string>) =>
      escrow.request<AdjustmentPreview>(
        'GET',
        `/api/admin/ledger/adjustments/preview?${new URLSearchParams({ currency: 'USD', ...body })}`,
        { actor },
      )

    it('see first what both accounts would have afterwards, and whether it needs a second admin', async () => {
      const by = admin()
      const at = async (account: string) => {
        const path = `/api/admin/ledger/accounts/${encodeURIComponent(account)}?limit=1`
        return (await escrow.request<{ balance: string }[]>('GET', path, { actor: by })).body[0]?.balance ?? '0.00'
      }
      const shown = (await preview(by, { ...cost, amount: '500' })).body
      expect(shown).toMatchObject({
        debit: { account: cost.debit, before: await at(cost.debit) },
        credit: { account: cost.credit, before: await at(cost.credit) },
        needsApproval: false,
      })
      expect((await preview(by, { ...cost, amount: '500.01' })).body.needsApproval).toBe(true)
      expect((await adjust(by, { ...cost, amount: '500' })).body.state).toBe('done')
      expect([await at(cost.debit), await at(cost.credit)]).toEqual([shown.debit.after, shown.credit.after])
    })

    it('cannot preview what they could not post', async () => {
      expect(await preview(admin(), { ...cost, debit: 'hold:1', amount: '0' })).toMatchObject({
        status: 400,
        body: {
          details: {
            fields: { debit: expect.any(String), amount: 'Must be an amount above zero, in dollars and cents' },
          },
        },
      })
      expect(await preview({ ...admin(), id: seller }, cost)).toMatchObject({ status: 403 })
    })

    it.each([
      [{ debit: 'hold:1' }, 'debit'],
      [{ credit: 'refund_due:1' }, 'credit'],
      [{ credit: `unapplied:${newId()}` }, 'credit'],
      [{ debit: 'chargeback_receivable' }, 'debit'],
      [{ credit: 'seller_payable' }, 'credit'],
      [{ credit: `seller_payable:${newId()}` }, 'credit'],
      [{ debit: `revenue:${seller}` }, 'debit'],
      [{ credit: 'provider_costs' }, 'credit'],
      [{ debit: 'petty_cash' }, 'debit'],
      [{ amount: '0' }, 'amount'],
      [{ amount: '1.000' }, 'amount'],
    ])('are refused %j', async (wrong, field) => {
      expect(await adjust(admin(), { ...cost, ...wrong })).toMatchObject({
        status: 400,
        body: { details: { fields: { [field]: expect.any(String) } } },
      })
    })

    it('need a second admin above the amount, and none of both may be the seller', async () => {
      const by = admin()
      const { body } = await adjust(by, { ...cost, amount: '500.01' })
      expect(body).toMatchObject({ state: 'waiting' })
      expect(await decide(body.approvalId!, { ...admin(), id: seller }, 'approve')).toMatchObject({ status: 403 })
      expect(await decide(body.approvalId!, admin(), 'approve')).toMatchObject({ status: 200 })
      expect(await adjust({ ...admin(), id: seller }, cost)).toMatchObject({ status: 403 })
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('find the accounts of a deal, a user and a payment, and page through a statement', async () => {
    const by = admin()
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    const { id: payment } = await escrow.row<{ id: string }>(
      'SELECT id FROM escrow.payment WHERE transaction_id = $1',
      [deal.id],
    )
    for (const q of [deal.id, deal.seller.id, payment]) {
      const { body } = await escrow.request<{ account: string; balance: string }[]>(
        'GET',
        `/api/admin/ledger/accounts?q=${q}`,
        { actor: by },
      )
      expect(body).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ account: `hold:${deal.id}`, balance: '0.00' }),
          expect.objectContaining({ account: `seller_payable:${deal.seller.id}`, balance: '98.50' }),
        ]),
      )
    }
    const page = (before = '') =>
      escrow.request<{ position: number; balance: string }[]>(
        'GET',
        `/api/admin/ledger/accounts/hold:${deal.id}?limit=2${before}`,
        { actor: by },
      )
    const first = await page()
    expect(first.body.map(({ balance }) => balance)).toEqual(['0.00', '8.50'])
    expect(first.headers.get('link')).toContain('before=2')
    expect((await page('&before=2')).body.map(({ balance }) => balance)).toEqual(['107.00'])
    const noDeal = await escrow.request('GET', `/api/admin/ledger/accounts/hold:${'9'.repeat(20)}`, { actor: by })
    expect([noDeal.status, noDeal.body]).toEqual([200, []])
  })

  it('are not there for anybody else', async () => {
    const routes = [
      ['GET', '/api/admin/refunds'],
      ['POST', `/api/admin/refunds/${newId()}/send-again`],
      ['POST', '/api/admin/transactions/1/refund'],
      ['POST', '/api/admin/ledger/adjustments'],
      ['GET', '/api/admin/approvals'],
      ['GET', '/api/admin/approvals/limit'],
      ['GET', '/api/admin/ledger/adjustments/preview?debit=revenue&credit=provider_costs&amount=1&currency=USD'],
      ['GET', '/api/admin/provider-events/open'],
      ['GET', '/api/admin/provider-events/open/count'],
      ['POST', '/api/admin/provider-events/evt_1/done'],
      ['POST', '/api/admin/provider-events/done'],
      ['GET', '/api/admin/dead-letters'],
      ['POST', '/api/admin/dead-letters/1/replay'],
      ['POST', '/api/admin/dead-letters/replay'],
      ['GET', '/api/admin/ledger/accounts'],
      ['GET', '/api/admin/ledger/accounts/revenue'],
      ['GET', '/api/admin/ledger/trial-balance'],
    ] as const
    for (const [method, path] of routes)
      for (const actor of [userActor(), null])
        expect(await escrow.request(method, path, { actor })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
  })
})
