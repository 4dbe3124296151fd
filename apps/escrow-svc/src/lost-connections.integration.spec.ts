import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import type { CommandAnswer, DealUnderTest } from '../test/deal-driver.js'
import { FaultyProxy, readyForQuery } from '../test/faulty-proxy.js'
import { manyInInspection } from '../test/many-deals.js'
import { eventDifferences, waitingEvents } from '../test/published-events.js'
import { RunningEscrow } from '../test/running-escrow.js'

const ACCEPTS_AT_ONCE = 80
/** So many of them are sent when the fault is over. */
const AFTERWARDS = 20
/** A write statement for one accept is shorter than this; one that ten accepts share is longer. */
const SHARED_BYTES = 8_000
const WITHIN_MS = 60_000

describe('a service that loses its database during many accepts', () => {
  let escrow: RunningEscrow
  let proxy: FaultyProxy

  beforeAll(async () => {
    escrow = await RunningEscrow.start(async ({ database }) => {
      const url = database.url('escrow_svc')
      proxy = await FaultyProxy.inFrontOf(url, readyForQuery)
      return { databaseUrl: proxy.urlOf(url) }
    })
  })
  afterAll(async () => {
    await escrow.stop()
    await proxy.close()
  })

  /** Ends the service's sessions in PostgreSQL, as an administrator or a fail-over does. */
  const terminate = () =>
    escrow.database.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'escrow_svc' AND datname = current_database()`,
    )

  /** The last value says whether PostgreSQL may still commit what was being written. */
  const faults: [string, () => Promise<void>, boolean][] = [
    [
      'ends its sessions repeatedly',
      async () => {
        for (let i = 0; i < 12; i++) {
          await terminate()
          await sleep(20)
        }
      },
      false,
    ],
    [
      'restarts and cannot be reached for a while',
      async () => {
        await sleep(40)
        proxy.refuse(true)
        proxy.breakConnections()
        await sleep(400)
        proxy.refuse(false)
      },
      true,
    ],
    [
      'loses its connections repeatedly',
      async () => {
        for (let i = 0; i < 12; i++) {
          proxy.breakConnections()
          await sleep(15)
        }
      },
      true,
    ],
  ]

  /**
   * Sends the accepts and causes the fault while their write statements run: a lock makes them wait in PostgreSQL until the
   * fault is over. So the fault certainly ends connections on which accepts are being written.
   */
  const answersDuring = async (
    fault: () => Promise<unknown>,
    send: () => Promise<SignedAnswer<CommandAnswer>>[],
  ): Promise<SignedAnswer<CommandAnswer>[]> => {
    const client = await escrow.database.admin.connect()
    try {
      await client.query('BEGIN; LOCK escrow.journal_entry IN ACCESS EXCLUSIVE MODE')
      const answers = Promise.all(send())
      await eventually(async () => (await writesThatWait()) > 0, WITHIN_MS)
      await fault()
      await client.query('ROLLBACK')
      return await answers
    } finally {
      client.release(true)
    }
  }
  const writesThatWait = async (): Promise<number> => {
    const sql = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'escrow.journal_entry'::regclass`
    const { n } = await escrow.row<{ n: number }>(sql)
    return n
  }

  describe.each(faults)('because PostgreSQL %s', (_, fault, mayCommit) => {
    it('answers 503 with an unknown outcome to what is being written, 200 to what it commits afterwards, and a retry with the key succeeds', async () => {
      const deals = await manyInInspection(escrow, ACCEPTS_AT_ONCE)
      const keyed = deals.map(deal => ({ deal, key: newId() }))
      const accept = ({ deal, key }: { deal: DealUnderTest; key: string }) =>
        escrow.act(deal.id, deal.buyer, 'accept', undefined, key)
      const [during, afterwards] = [keyed.slice(0, -AFTERWARDS), keyed.slice(-AFTERWARDS)]
      const answers = await answersDuring(fault, () => during.map(accept))
      expect(unknownOutcomes(answers)).toBe(answers.length)
      if (!mayCommit) expect(await released(escrow, dealsOf(during))).toEqual([])
      const later = await Promise.all(afterwards.map(accept))
      expect(refusals(later)).toEqual([])
      const acknowledged = dealsOf(afterwards.filter((_, i) => later[i]?.status === 200))
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(await released(escrow, dealsOf(afterwards))).toEqual(acknowledged)
      for (const each of keyed)
        expect(
          await eventually(async () => {
            const { status, body } = await accept(each)
            return status === 503 ? null : { status, body: body.status }
          }, WITHIN_MS),
        ).toEqual({ status: 200, body: 'completed' })
      await expectBalanced(escrow)
    })
  })

  it('answers 503 to every command of a shared statement whose answer is lost, although it was committed', async () => {
    const deals = await manyInInspection(escrow, 30)
    // The lock makes the reads wait, so that most commands share the next read and the next write.
    const client = await escrow.database.admin.connect()
    await client.query('BEGIN; LOCK escrow.idempotency_key IN ACCESS EXCLUSIVE MODE')
    const lost = proxy.faultAt(
      { text: 'deal_write', when: 'after the request is answered', minBytes: SHARED_BYTES },
      () => proxy.breakConnections(),
    )
    const accepts = Promise.all(deals.map(deal => escrow.act(deal.id, deal.buyer, 'accept')))
    await sleep(1_000)
    await client.query('ROLLBACK')
    client.release()
    const answers = await accepts
    await lost
    expect(refusals(answers)).toEqual([])
    expect(unknownOutcomes(answers)).toBeGreaterThan(1)
    await expectAcknowledged(escrow, deals, answers)
    expect(await released(escrow, deals)).toEqual(deals)
    await expectBalanced(escrow)
  })

  it('answers 503 when a statement gets no answer, and uses another connection for the next', async () => {
    const [unansweredDeal, later] = [await escrow.inInspection(), await escrow.inInspection()]
    const reached = proxy.faultAt({ text: 'deal_write', when: 'before the request is delivered' }, () => undefined)
    const waiting = escrow.act(unansweredDeal.id, unansweredDeal.buyer, 'accept')
    await reached
    const [unanswered, next] = await Promise.all([waiting, escrow.act(later.id, later.buyer, 'accept')])
    expect([unanswered.status, next.status]).toEqual([503, 200])
    await expectAcknowledged(escrow, [unansweredDeal, later], [unanswered, next])
    await expectBalanced(escrow)
  })

  it('never answers 409 to a command without a key because its own first attempt succeeded', async () => {
    const deals = await manyInInspection(escrow, ACCEPTS_AT_ONCE)
    const fault = () => Promise.all([faults[0]?.[1](), faults[2]?.[1]()])
    const answers = await answersDuring(fault, () => deals.map(deal => escrow.act(deal.id, deal.buyer, 'accept')))
    expect(refusals(answers)).toEqual([])
    expect(unknownOutcomes(answers)).toBeGreaterThan(0)
    await expectAcknowledged(escrow, deals, answers)
    await expectBalanced(escrow)
  })
})

/** The answers other than 200 (done) and 503 (outcome unknown). */
const refusals = (answers: readonly SignedAnswer<CommandAnswer>[]): string[] => [
  ...new Set(answers.flatMap(({ status, body }) => (status === 200 || status === 503 ? [] : `${status} ${body.code}`))),
]

/** How many commands were answered that their outcome is unknown. */
const unknownOutcomes = (answers: readonly SignedAnswer<CommandAnswer>[]): number =>
  answers.filter(({ status, body }) => status === 503 && body.details?.outcome === 'unknown').length

const dealsOf = (keyed: readonly { readonly deal: DealUnderTest }[]) => keyed.map(({ deal }) => deal)

/** Those of the deals whose money was released. */
async function released(escrow: RunningEscrow, deals: readonly DealUnderTest[]): Promise<DealUnderTest[]> {
  const { rows } = await escrow.database.admin.query<{ id: string }>(
    `SELECT transaction_id AS id FROM escrow.journal_entry WHERE kind = 'release' AND transaction_id = ANY($1)`,
    [deals.map(({ id }) => id)],
  )
  const ids = new Set(rows.map(({ id }) => Number(id)))
  return deals.filter(({ id }) => ids.has(id))
}

/** Every deal whose accept was answered 200 has been released. */
async function expectAcknowledged(
  escrow: RunningEscrow,
  deals: readonly DealUnderTest[],
  answers: readonly { status: number }[],
): Promise<void> {
  const acknowledged = deals.filter((_, i) => answers[i]?.status === 200)
  expect(await released(escrow, acknowledged)).toEqual(acknowledged)
}

async function expectBalanced(escrow: RunningEscrow): Promise<void> {
  expect(await escrow.violations()).toEqual([])
  await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, WITHIN_MS)
  expect(await eventDifferences(escrow.database.admin)).toEqual([])
}
