import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventDifferences, waitingEvents } from '../test/books.js'
import type { CommandAnswer, DealUnderTest } from '../test/deal-driver.js'
import { FaultyProxy, readyForQuery } from '../test/faulty-proxy.js'
import { manyInInspection } from '../test/many-deals.js'
import { RunningEscrow } from '../test/running-escrow.js'

const ACCEPTS_AT_ONCE = 200
/** The write of one accept is shorter, that of ten is longer. */
const SHARED_BYTES = 8_000
const PATIENCE_MS = 60_000

describe('a database that goes away in the middle of 200 accepts', () => {
  let escrow: RunningEscrow
  let proxy: FaultyProxy

  beforeAll(async () => {
    escrow = await RunningEscrow.start(async ({ database }) => {
      const url = database.url('escrow_svc')
      proxy = await FaultyProxy.before(url, readyForQuery)
      return { databaseUrl: proxy.via(url) }
    })
  }, PATIENCE_MS)
  afterAll(async () => {
    await escrow.stop()
    await proxy.close()
  })

  /** PostgreSQL ends the sessions of the service, as an administrator or a fail-over does. */
  const terminate = () =>
    escrow.database.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'escrow_svc' AND datname = current_database()`,
    )

  const harms: [string, () => Promise<void>][] = [
    [
      'ends every session, again and again',
      async () => {
        for (let i = 0; i < 12; i++) {
          await terminate()
          await sleep(20)
        }
      },
    ],
    [
      'is restarted and cannot be reached for a while',
      async () => {
        await sleep(40)
        proxy.refuse(true)
        proxy.cut()
        await sleep(400)
        proxy.refuse(false)
      },
    ],
    [
      'loses the connections on the way, again and again',
      async () => {
        for (let i = 0; i < 12; i++) {
          proxy.cut()
          await sleep(15)
        }
      },
    ],
  ]

  describe.each(harms)('%s', (_, harm) => {
    it(
      'says 200 only of what is committed, once; 503 of what it cannot know; and a retry with the key knows',
      async () => {
        const deals = await manyInInspection(escrow, ACCEPTS_AT_ONCE)
        const keyed = deals.map(deal => ({ deal, key: newId() }))
        const accept = ({ deal, key }: { deal: DealUnderTest; key: string }) =>
          escrow.act(deal.id, deal.buyer, 'accept', undefined, key)
        const [answers] = await Promise.all([Promise.all(keyed.map(accept)), harm()])
        expect(refusals(answers)).toEqual([])
        await expectAcknowledged(escrow, deals, answers)
        for (const each of keyed)
          expect(
            await eventually(async () => {
              const { status, body } = await accept(each)
              return status === 503 ? null : { status, body: body.status }
            }, PATIENCE_MS),
          ).toEqual({ status: 200, body: 'completed' })
        await expectBalanced(escrow)
      },
      2 * PATIENCE_MS,
    )
  })

  it(
    'says 503 to all of a shared statement whose answer was lost, although it had its effect',
    async () => {
      const deals = await manyInInspection(escrow, 30)
      // Reads wait until everybody is there, so that most share the next read and the next write.
      const client = await escrow.database.admin.connect()
      await client.query('BEGIN; LOCK escrow.idempotency_key IN ACCESS EXCLUSIVE MODE')
      const lost = proxy.at({ saying: 'deal_write', when: 'after it is done', minBytes: SHARED_BYTES }, () =>
        proxy.cut(),
      )
      const accepts = Promise.all(deals.map(deal => escrow.act(deal.id, deal.buyer, 'accept')))
      await sleep(1_000)
      await client.query('ROLLBACK')
      client.release()
      const answers = await accepts
      await lost
      expect(refusals(answers)).toEqual([])
      expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(1)
      await expectAcknowledged(escrow, deals, answers)
      await expectBalanced(escrow)
    },
    PATIENCE_MS,
  )

  it(
    'says 503 of what a database was asked that fell silent, and goes on with another connection',
    async () => {
      const [silenced, later] = [await escrow.inInspection(), await escrow.inInspection()]
      const silent = proxy.at({ saying: 'deal_write', when: 'before it is heard' }, () => undefined)
      const waiting = escrow.act(silenced.id, silenced.buyer, 'accept')
      await silent
      const [unanswered, next] = await Promise.all([waiting, escrow.act(later.id, later.buyer, 'accept')])
      expect([unanswered.status, next.status]).toEqual([503, 200])
      await expectAcknowledged(escrow, [silenced, later], [unanswered, next])
      await expectBalanced(escrow)
    },
    PATIENCE_MS,
  )

  it(
    'never refuses, for having succeeded, a command that brought no key',
    async () => {
      const deals = await manyInInspection(escrow, ACCEPTS_AT_ONCE)
      const accepts = Promise.all(deals.map(deal => escrow.act(deal.id, deal.buyer, 'accept')))
      const [answers] = await Promise.all([accepts, harms[0]?.[1](), harms[2]?.[1]()])
      expect(refusals(answers)).toEqual([])
      await expectAcknowledged(escrow, deals, answers)
      await expectBalanced(escrow)
    },
    2 * PATIENCE_MS,
  )
})

/** What was answered beside "done" and "could not tell". */
const refusals = (answers: readonly SignedAnswer<CommandAnswer>[]): string[] => [
  ...new Set(answers.flatMap(({ status, body }) => (status === 200 || status === 503 ? [] : `${status} ${body.code}`))),
]

/** What was answered 200 is there. */
async function expectAcknowledged(
  escrow: RunningEscrow,
  deals: readonly DealUnderTest[],
  answers: readonly { status: number }[],
): Promise<void> {
  const acknowledged = deals.filter((_, i) => answers[i]?.status === 200).map(deal => deal.id)
  const { n } = await escrow.row<{ n: number }>(
    `SELECT count(*)::int AS n FROM escrow.journal_entry WHERE kind = 'release' AND transaction_id = ANY($1)`,
    [acknowledged],
  )
  expect(n).toBe(acknowledged.length)
}

async function expectBalanced(escrow: RunningEscrow): Promise<void> {
  expect(await escrow.imbalances()).toEqual([])
  await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, PATIENCE_MS)
  expect(await eventDifferences(escrow.database.admin)).toEqual([])
}
