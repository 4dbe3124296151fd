import { transactionShipped } from '@holdfast/contracts/events'
import { expect, it } from 'vitest'
import { dealEvent } from '../../test/scratch-log.js'
import { PoisonEventError, UNKNOWN_TYPE_WAIT_MS, UnknownTypeError } from '../transport.js'
import { EventsServer } from './events-server.js'

const server = new EventsServer({} as never, 'listing-svc', undefined)
const handle = (type: string, ageMs = 0) => {
  const occurredAt = new Date(Date.now() - ageMs).toISOString()
  return server.handle({ event: { ...dealEvent(1, 0), type, occurredAt }, attempt: 1 })
}

it('lets an event of a type that this release does not know wait, for a limited time', async () => {
  const novel = 'escrow.transaction.novel.v1'
  await expect(handle(novel, UNKNOWN_TYPE_WAIT_MS - 60_000)).rejects.toThrow(UnknownTypeError)
  await expect(handle(novel, UNKNOWN_TYPE_WAIT_MS + 60_000)).rejects.toThrow(PoisonEventError)
})

it('has nothing to do for a replayed event of a type that it knows and does not handle', async () => {
  await expect(handle(transactionShipped.type)).resolves.toBeUndefined()
})
