import { listDeadLetters, requestReplay, requestReplayOfAll } from '../src/embedded/dead-letters.js'
import { listWaitingEvents, makeDeadLetter } from '../src/embedded/waiting-events.js'
import { type Delivery, PoisonEventError } from '../src/transport.js'
import { dealEvent, eventually, stored } from './scratch-log.js'
import {
  keysOfOnePartition,
  newGroup,
  OUTAGE_ATTEMPTS,
  startsTransports,
  type TransportTests,
  titleOf,
  tooManyConnections,
  topics,
} from './transport-tests.js'

/** What every transport promises about events that are not handled at once. It is called within a `describe`. */
export function promisesOnFailure(tests: TransportTests): void {
  const transport = startsTransports(tests)
  const letters = () => listDeadLetters(tests.log().admin)

  it('tries a failing event five times while its key waits, makes it a dead letter, and goes on', async () => {
    const reader = await transport()
    const group = newGroup()
    const seen: string[] = []
    const attempts: number[] = []
    const bad = dealEvent(1, 1)
    await reader.publish([dealEvent(1, 0), bad, dealEvent(1, 2)].map(stored))
    await reader.subscribe({
      group,
      topics,
      handler: async ({ event, attempt }) => {
        if (event.id === bad.id) {
          attempts.push(attempt)
          expect(seen).toEqual(['0'])
          throw new Error('this one is bad')
        }
        seen.push(titleOf(event))
      },
    })
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['0', '2'])
    expect(attempts).toEqual([1, 2, 3, 4, 5])
    expect(await letters()).toHaveLength(1)
    expect((await letters())[0]).toMatchObject({ group, eventId: bad.id, attempts: 5, payload: bad.payload })
    expect((await letters())[0]!.error).toContain('this one is bad')
  })

  it('tries an event again for as long as an outage lasts, and makes it no dead letter', async () => {
    const reader = await transport()
    const group = newGroup()
    const event = dealEvent(1, 0)
    const attempts: number[] = []
    await reader.publish([stored(event)])
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      attempts.push(attempt)
      if (attempt <= OUTAGE_ATTEMPTS) throw tooManyConnections()
      if (attempt < OUTAGE_ATTEMPTS + 5) throw new Error('a fault that only four attempts meet')
    }
    await reader.subscribe({ group, topics, handler })
    await eventually(async () => attempts.length === OUTAGE_ATTEMPTS + 5 && (await reader.lag(group)).events === 0)
    expect(attempts).toEqual(attempts.map((_, i) => i + 1))
    expect(await letters()).toEqual([])
  })

  it('handles the events of other keys while an outage holds one key back, and keeps the order of that key', async () => {
    const [held, other] = keysOfOnePartition()
    const reader = await transport()
    const group = newGroup()
    let outage = true
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (event.key === String(held) && outage) throw tooManyConnections()
      const label = `${event.key === String(held) ? 'held' : 'other'} ${titleOf(event)}`
      if (!seen.includes(label)) seen.push(label)
    }
    await reader.publish([0, 1, 2].flatMap(nth => [dealEvent(held, nth), dealEvent(other, nth)]).map(stored))
    await reader.subscribe({ group, topics, handler })
    await eventually(() => seen.length === 3)
    expect(seen).toEqual(['other 0', 'other 1', 'other 2'])
    await eventually(async () => (await reader.lag(group)).waitingSeconds > 0)
    outage = false
    await eventually(async () => (await reader.lag(group)).events === 0)
    expect(seen.slice(3)).toEqual(['held 0', 'held 1', 'held 2'])
    expect((await reader.lag(group)).waitingSeconds).toBe(0)
  })

  it('makes an event that can never be handled a dead letter at once', async () => {
    const reader = await transport()
    let attempts = 0
    await reader.publish([stored(dealEvent(1, 0))])
    const handler = async (): Promise<void> => {
      attempts++
      throw new PoisonEventError('no attempt will help')
    }
    await reader.subscribe({ group: newGroup(), topics, handler })
    await eventually(async () => (await letters()).length === 1)
    expect(attempts).toBe(1)
  })

  it('replays a dead letter on request, and keeps the new error when it fails again', async () => {
    const reader = await transport()
    let mended = false
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      if (!mended) throw attempt < 2 ? new PoisonEventError('broken') : new Error('still broken')
    }
    await reader.publish([stored(dealEvent(1, 0))])
    await reader.subscribe({ group: newGroup(), topics, handler })
    await eventually(async () => (await letters()).length === 1)
    const { id } = (await letters())[0]!
    const { admin } = tests.log()
    expect(await requestReplay(admin, id)).toBe(true)
    await eventually(async () => (await letters())[0]!.attempts === 2)
    expect((await letters())[0]).toMatchObject({
      replayRequestedAt: null,
      replayedAt: null,
      error: expect.stringContaining('still broken'),
    })
    mended = true
    expect(await requestReplay(admin, id)).toBe(true)
    await eventually(async () => (await letters())[0]!.replayedAt !== null)
    expect(await requestReplay(admin, id)).toBe(false)
  })

  it('replays every dead letter on request, those of one key in order, and waits while an outage lasts', async () => {
    const reader = await transport()
    const group = newGroup()
    let state: 'faulty' | 'outage' | 'mended' = 'faulty'
    let duringOutage = 0
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (state === 'faulty') throw new PoisonEventError('broken')
      if (state === 'outage') {
        duringOutage++
        throw tooManyConnections()
      }
      seen.push(titleOf(event))
    }
    await reader.publish([0, 1, 2].map(nth => stored(dealEvent(1, nth))))
    for (let n = 0; n < 2; n++) await (await transport()).subscribe({ group, topics, handler })
    await eventually(async () => (await letters()).length === 3)
    state = 'outage'
    expect(await requestReplayOfAll(tests.log().admin)).toBe(3)
    await eventually(() => duringOutage > OUTAGE_ATTEMPTS)
    state = 'mended'
    await eventually(async () => (await letters()).every(letter => letter.replayedAt !== null))
    expect(seen).toEqual(['0', '1', '2'])
    expect(await requestReplayOfAll(tests.log().admin)).toBe(0)
  })

  it('replays a dead letter although an earlier one of another key meets an outage each time', async () => {
    const reader = await transport()
    let replaying = false
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (!replaying) throw new PoisonEventError('broken')
      if (titleOf(event) === '0') throw tooManyConnections()
    }
    await reader.publish([stored(dealEvent(1, 0))])
    await reader.subscribe({ group: newGroup(), topics, handler })
    await eventually(async () => (await letters()).length === 1)
    await reader.publish([stored(dealEvent(2, 1))])
    await eventually(async () => (await letters()).length === 2)
    replaying = true
    expect(await requestReplayOfAll(tests.log().admin)).toBe(2)
    await eventually(async () => (await letters()).some(({ replayedAt }) => replayedAt !== null))
    expect((await letters()).map(({ key, replayedAt }) => [key, replayedAt !== null]).sort()).toEqual([
      ['1', false],
      ['2', true],
    ])
  })

  it('shows the event that a partition waits for, and makes it a dead letter when an operator decides so', async () => {
    const reader = await transport()
    const { admin } = tests.log()
    const group = newGroup()
    const stuck = dealEvent(1, 0)
    const seen: string[] = []
    await reader.publish([stuck, dealEvent(1, 1)].map(stored))
    await reader.subscribe({
      group,
      topics,
      handler: async ({ event }) => {
        if (event.id === stuck.id) throw tooManyConnections()
        seen.push(titleOf(event))
      },
    })
    await eventually(async () => (await listWaitingEvents(admin)).some(({ outages }) => outages > OUTAGE_ATTEMPTS))
    expect(await listWaitingEvents(admin)).toEqual([
      expect.objectContaining({ group, topic: stuck.topic, eventId: stuck.id, key: '1', eventsBehind: 1 }),
    ])
    expect(await makeDeadLetter(admin, 'another group', stuck.id)).toBe(false)
    expect(seen).toEqual([])
    expect(await makeDeadLetter(admin, group, stuck.id)).toBe(true)
    await eventually(() => seen.length === 1)
    await eventually(async () => (await listWaitingEvents(admin)).length === 0)
    expect(await letters()).toEqual([
      expect.objectContaining({ group, eventId: stuck.id, error: expect.stringContaining('too many clients') }),
    ])
    expect(await makeDeadLetter(admin, group, stuck.id)).toBe(false)
  })
}
