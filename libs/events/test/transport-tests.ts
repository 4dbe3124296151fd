import type { EventEnvelope } from '@holdfast/contracts/events'
import { PARTITIONS, partitionOf } from '../src/embedded/partition.js'
import type { EventTransport } from '../src/transport.js'
import { dealEvent, type ScratchLog, stored } from './scratch-log.js'

export const FAST_RETRIES = [20, 20, 20, 20]

/** An outage of the tests outlasts more attempts than a faulty event gets. */
export const OUTAGE_ATTEMPTS = 7
export const tooManyConnections = (): Error =>
  Object.assign(new Error('sorry, too many clients already'), { code: '53300' })

export const titleOf = (event: EventEnvelope): string => (event.payload as { title: string }).title

/** Two deal ids whose events are in the same partition. */
export function keysOfOnePartition(): [number, number] {
  const partition = (key: number): number => partitionOf(String(key), PARTITIONS)
  for (let other = 2; ; other++) if (partition(other) === partition(1)) return [1, other]
}

export const topics = ['escrow.transaction'] as const

/** Publishes `perKey` events of each key, in batches of one event per key. */
export async function publish(by: EventTransport, keys: number, perKey: number): Promise<void> {
  for (let nth = 0; nth < perKey; nth++) {
    await by.publish(Array.from({ length: keys }, (_, key) => stored(dealEvent(key + 1, nth))))
  }
}

/** Expects `perKey` events of each key, in order. An event that was delivered again counts where it was seen first. */
export function expectInOrder(seen: readonly EventEnvelope[], keys: number, perKey: number): void {
  const once = [...new Map(seen.map(event => [event.id, event])).values()]
  for (let key = 1; key <= keys; key++) {
    const titles = once.filter(event => event.key === String(key)).map(titleOf)
    expect(titles).toEqual(Array.from({ length: perKey }, (_, nth) => String(nth)))
  }
}

let groups = 0
/** A name of a consumer group that no other test has used. */
export const newGroup = (): string => `group-${process.pid}-${++groups}`

/** What a test file provides for the tests of any transport. Before each test the log and the dead letters are empty. */
export interface TransportTests<T extends EventTransport = EventTransport> {
  readonly log: () => ScratchLog
  /** A new transport of a service, with `FAST_RETRIES`, not started. It is stopped after the test. */
  readonly make: (service: string) => T
  /** Whether an event is delivered again only after a failure. Otherwise also when processes of a group come and go. */
  readonly deliversOnce: boolean
}

/** Starts transports, and stops them after each test. */
export function startsTransports<T extends EventTransport>({
  make,
}: TransportTests<T>): (service?: string) => Promise<T> {
  const transports: T[] = []
  afterEach(async () => {
    await Promise.all(transports.splice(0).map(transport => transport.stop()))
  })
  return async (service = 'escrow-svc') => {
    const made = make(service)
    transports.push(made)
    await made.start()
    return made
  }
}
