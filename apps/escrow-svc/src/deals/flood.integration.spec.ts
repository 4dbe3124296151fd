import type { RunningService } from '@holdfast/service-kit/lifecycle/service'
import { eventually } from '@holdfast/testing/eventually'
import { SignedClient } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import Stripe from 'stripe'
import { ACTOR_KEYS, SECRETS } from '../../test/dependencies.js'
import { RunningEscrow } from '../../test/running-escrow.js'

const LIMIT = 20
const BEYOND = 30

describe('more commands than the service carries out', () => {
  let escrow: RunningEscrow
  let limited: RunningService
  let client: SignedClient
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    limited = await escrow.startReplica({ MAX_REQUESTS_UNDER_WAY: String(LIMIT) })
    client = new SignedClient(limited.port, 'escrow-svc', ACTOR_KEYS)
  })
  afterAll(async () => {
    await limited.close()
    await escrow.stop()
  })

  function webhook(event: object) {
    const payload = JSON.stringify(event)
    const { webhooks } = new Stripe(SECRETS.STRIPE_SECRET_KEY)
    const signature = webhooks.generateTestHeaderString({ payload, secret: SECRETS.STRIPE_WEBHOOK_SECRET })
    return client.request('POST', '/api/webhooks/stripe', { body: payload, headers: { 'stripe-signature': signature } })
  }

  it('are refused at once; those within the limit are carried out, and so are webhooks', async () => {
    const deals = await Promise.all(Array.from({ length: LIMIT + BEYOND }, () => escrow.open()))
    const unpaid = await escrow.open()
    const event = succeeded(await escrow.beginPayment(unpaid), unpaid.totalMinor)
    const answers = new Map<number, { status: number; retryAfter: string | null }>()
    const lock = await escrow.database.admin.connect()
    await lock.query('BEGIN; LOCK TABLE escrow.transaction IN ACCESS EXCLUSIVE MODE')
    try {
      const flood = deals.map(async ({ id, buyer }) => {
        const { status, headers } = await client.request('DELETE', `/api/transactions/${id}`, { actor: buyer })
        answers.set(id, { status, retryAfter: headers.get('retry-after') })
      })
      // No command can end while the table is locked, so the refusals do not wait for one.
      await eventually(() => answers.size === BEYOND)
      for (const answer of answers.values())
        expect(answer).toEqual({ status: 503, retryAfter: expect.stringMatching(/^[123]$/) })
      const paid = webhook(event)
      expect((await fetch(`http://127.0.0.1:${limited.opsPort}/readyz`)).status).toBe(200)
      await lock.query('ROLLBACK')
      expect((await paid).status).toBe(200)
      await Promise.all(flood)
    } finally {
      lock.release()
    }
    const statuses = await Promise.all(deals.map(async ({ id }) => [answers.get(id)!.status, await escrow.status(id)]))
    expect(statuses.filter(([status]) => status !== 503)).toEqual(Array(LIMIT).fill([200, 'cancelled']))
    expect(statuses.filter(([status]) => status === 503)).toEqual(Array(BEYOND).fill([503, 'pending']))
    expect(await escrow.status(unpaid.id)).toBe('paid')
    expect(await escrow.violations()).toEqual([])
  })
})
