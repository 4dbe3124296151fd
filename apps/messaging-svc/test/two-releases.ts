import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { listDeadLetters, requestReplayOfAll } from '@holdfast/events/embedded/dead-letters'
import { PARTITIONS, partitionOf } from '@holdfast/events/embedded/partition'
import { listWaitingEvents } from '@holdfast/events/embedded/waiting-events'
import { UNKNOWN_TYPE_WAIT_MS } from '@holdfast/events/transport'
import { type ChangedService, packChangedService } from '@holdfast/testing/changed-service'
import { eventually } from '@holdfast/testing/eventually'
import { listeningPort } from '@holdfast/testing/listening-port'
import { packedService } from '@holdfast/testing/packed-service'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { testActorKeys } from '@holdfast/testing/signed-client'
import { plan } from '../src/migrations/plan.js'
import { MASTER_KEY, TestDeal } from './running-messaging.js'

/** Takes the event `transactionDelivered` out of the present release: its type is unknown then, and nothing handles it. A test cannot wait for long. */
const WITHOUT_DELIVERED = [
  {
    name: 'the contracts do not have the event',
    file: 'libs/contracts/src/events.ts',
    find: '  transactionShipped,\n  transactionDelivered,\n',
    replace: '  transactionShipped,\n',
  },
  ...['deal-events.consumer.ts', 'deal-events.service.ts'].map(name => ({
    name: `${name} does not handle the event`,
    file: `apps/messaging-svc/src/deal-events/${name}`,
    find: 'Object.keys(DEAL_TEXTS)',
    replace: "Object.keys(DEAL_TEXTS).filter(name => name !== 'transactionDelivered')",
  })),
  {
    name: 'an event that is old waits for two seconds and not for ten minutes',
    file: 'libs/events/src/consumer/events-server.ts',
    find: 'now - since > UNKNOWN_TYPE_WAIT_MS',
    replace: 'now - since > 2_000',
  },
]

const GROUP = 'messaging-svc'
const DEALS = 20
/** Long enough for the 15 seconds that a rebalance of Kafka may take. */
const PATIENCE_MS = 60_000

/** The log that carries the events: the embedded one or Kafka. */
export interface TestedLog {
  /** The variables with which a service uses it. */
  readonly environment: NodeJS.ProcessEnv
  /** Publishes events as escrow-svc does. */
  publish(...events: readonly EventEnvelope[]): Promise<void>
  /** How many events of each partition of the deals' topic the group has passed. */
  passed(group: string): Promise<ReadonlyMap<number, number>>
  stop(): Promise<void>
}

type Release = 'older' | 'newer'

/** An event of each of some deals, and what it makes the chat of each deal say. */
interface Happening {
  readonly text: string
  readonly events: readonly EventEnvelope[]
}

/** Processes of two releases of messaging-svc in the same consumer group, and what they made of the events. */
class TwoReleases {
  private readonly children: ChildProcess[] = []
  private readonly published: EventEnvelope[] = []
  private payments = 0

  private constructor(
    private readonly database: ScratchDatabase,
    private readonly log: TestedLog,
    private readonly storage: string,
    private readonly older: ChangedService,
  ) {}

  static async make(startLog: (database: ScratchDatabase) => Promise<TestedLog>): Promise<TwoReleases> {
    const [older, database, storage] = await Promise.all([
      packChangedService('messaging-svc', WITHOUT_DELIVERED),
      ScratchDatabase.make(plan),
      mkdtemp(join(tmpdir(), 'holdfast-two-releases-')),
    ])
    return new TwoReleases(database, await startLog(database), storage, older)
  }

  /** Starts a process of a release. Resolves when it is ready, to what stops it as a rollout does. */
  async start(release: Release): Promise<() => Promise<void>> {
    const child = spawn(process.execPath, [release === 'older' ? this.older.file : packedService('messaging-svc')], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        LOG_LEVEL: 'info',
        PORT: '0',
        OPS_PORT: '0',
        ACTOR_KEYS: testActorKeys('messaging-svc', 'gateway'),
        DATABASE_URL: this.database.url(plan.role),
        ENCRYPTION_KEYS: MASTER_KEY,
        STORAGE_URL: pathToFileURL(this.storage).href,
        ...this.log.environment,
      },
      // The service ends when this channel closes, so it cannot outlive the test.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.children.push(child)
    await listeningPort('messaging-svc', child)
    return async () => {
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    }
  }

  /** A payment of each deal, which both releases know. */
  payment(deals: readonly TestDeal[]): Happening {
    const nth = ++this.payments
    return {
      text: `The buyer has paid: $${nth}.00 is held`,
      events: deals.map(deal => deal.event('transactionPaid', { total: `${nth}.00`, sellerAccepted: true })),
    }
  }

  /** A delivery of each deal, which only the newer release knows. */
  delivery(deals: readonly TestDeal[], ageMs = 0): Happening {
    const at = new Date(Date.now() - ageMs)
    return {
      text: 'The item has been delivered.',
      events: deals.map(deal => deal.event('transactionDelivered', {}, { at })),
    }
  }

  /** Publishes events together. Answers the texts that they write into the chats. */
  async publish(...happenings: readonly Happening[]): Promise<string[]> {
    const events = happenings.flatMap(each => each.events)
    this.published.push(...events)
    await this.log.publish(...events)
    return happenings.map(({ text }) => text)
  }

  /** What the chat of a deal says, in the order in which it was written. */
  async chat({ id }: TestDeal): Promise<string[]> {
    const { rows } = await this.database.admin.query<{ content: string }>(
      'SELECT content FROM messaging.messages WHERE transaction_id = $1 ORDER BY id',
      [id],
    )
    return rows.map(({ content }) => content.split(' for this transaction')[0]!)
  }

  /** Waits until the chat of each deal says this. */
  async untilChatsSay(deals: readonly TestDeal[], texts: readonly string[]): Promise<void> {
    for (const deal of deals) await eventually(async () => (await this.chat(deal)).length >= texts.length, PATIENCE_MS)
    for (const deal of deals) expect(await this.chat(deal)).toEqual(texts)
  }

  /** Waits until the group has passed every event. */
  async untilAllPassed(): Promise<void> {
    await eventually(async () => {
      const passed = [...(await this.log.passed(GROUP)).values()]
      return passed.reduce((sum, count) => sum + count, 0) === this.published.length
    }, PATIENCE_MS)
  }

  /** The events that the group has passed, and that are neither handled nor a dead letter. */
  async lost(): Promise<readonly EventEnvelope[]> {
    const passed = await this.log.passed(GROUP)
    const { rows } = await this.database.admin.query<{ event_id: string }>(
      'SELECT event_id FROM messaging.inbox UNION SELECT event_id FROM events.dead_letter WHERE consumer_group = $1',
      [GROUP],
    )
    const kept = new Set(rows.map(row => row.event_id))
    return [...passed].flatMap(([partition, count]) => {
      const events = this.published.filter(({ key }) => partitionOf(key, PARTITIONS) === partition)
      return events.slice(0, count).filter(({ id }) => !kept.has(id))
    })
  }

  /** Waits until a partition waits for an event. */
  async untilEventsWait(): Promise<void> {
    await eventually(async () => (await listWaitingEvents(this.database.admin)).length > 0, PATIENCE_MS)
  }

  deadLetters() {
    return listDeadLetters(this.database.admin)
  }

  /** Lets the group handle its dead letters again, as an operator does. */
  async replayDeadLetters(): Promise<void> {
    await requestReplayOfAll(this.database.admin)
    await eventually(async () => (await this.deadLetters()).every(letter => letter.replayedAt !== null), PATIENCE_MS)
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL')
    await this.log.stop()
    await Promise.all([this.database.drop(), this.older.remove(), rm(this.storage, { recursive: true, force: true })])
  }
}

/**
 * What two releases of a service promise while one replaces the other. The older one does not know one type of event. It is called within
 * a `describe`.
 */
export function promisesOfTwoReleases(startLog: (database: ScratchDatabase) => Promise<TestedLog>): void {
  let releases: TwoReleases
  beforeAll(async () => {
    releases = await TwoReleases.make(startLog)
  })
  afterAll(() => releases.stop())
  const newDeals = () => Array.from({ length: DEALS }, () => new TestDeal())

  it('handle each event once and those of a deal in order, while the newer release replaces the older one', async () => {
    const deals = newDeals()
    const stopOlder = await releases.start('older')
    const texts = await releases.publish(releases.payment(deals))
    await releases.untilChatsSay(deals, texts)

    // The type comes before a process that knows it.
    texts.push(...(await releases.publish(releases.delivery(deals))))
    await releases.untilEventsWait()
    const stopNewer = await releases.start('newer')
    for (let round = 0; round < 3; round++) {
      texts.push(...(await releases.publish(releases.payment(deals), releases.delivery(deals))))
      expect(await releases.lost()).toEqual([])
    }
    await stopOlder()
    texts.push(...(await releases.publish(releases.delivery(deals), releases.payment(deals))))

    await releases.untilChatsSay(deals, texts)
    await releases.untilAllPassed()
    expect(await releases.lost()).toEqual([])
    expect(await releases.deadLetters()).toEqual([])
    await stopNewer()
  })

  it('keep the events that the older release does not know, while it runs again alone', async () => {
    const [undelivered, delivered, lateDelivered] = [newDeals(), newDeals(), newDeals().slice(0, 2)]
    const stopOlder = await releases.start('older')
    // An event that has waited for too long becomes a dead letter, and the later events of its deal go on.
    const lateDelivery = releases.delivery(lateDelivered, UNKNOWN_TYPE_WAIT_MS + 60_000)
    const payment = releases.payment([...undelivered, ...delivered, ...lateDelivered])
    await releases.publish(lateDelivery, payment)
    await releases.untilChatsSay([...undelivered, ...delivered, ...lateDelivered], [payment.text])
    expect((await releases.deadLetters()).map(({ key }) => key).sort()).toEqual(
      lateDelivered.map(({ id }) => String(id)).sort(),
    )

    // A new one waits, and so do the later events of its deal. Those of other deals do not.
    const delivery = releases.delivery(delivered)
    const after = releases.payment([...undelivered, ...delivered])
    await releases.publish(delivery, after)
    await releases.untilChatsSay(undelivered, [payment.text, after.text])
    await releases.untilEventsWait()
    await releases.untilChatsSay(delivered, [payment.text])
    expect(await releases.lost()).toEqual([])

    const stopNewer = await releases.start('newer')
    await stopOlder()
    await releases.untilChatsSay(delivered, [payment.text, delivery.text, after.text])
    await releases.replayDeadLetters()
    await releases.untilChatsSay(lateDelivered, [payment.text, lateDelivery.text])
    await releases.untilAllPassed()
    expect(await releases.lost()).toEqual([])
    await stopNewer()
  })
}
