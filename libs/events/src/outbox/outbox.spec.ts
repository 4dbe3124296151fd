import { TOPIC_OWNERS, type Topic } from '@holdfast/contracts/topology'
import { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
import { binaryArray } from '@holdfast/service-kit/database/binary-array'
import { requestContext } from '@holdfast/service-kit/telemetry/logging'
import { dealEvent } from '../../test/scratch-log.js'
import { PARTITIONS, partitionOf } from '../embedded/partition.js'
import { EVENT_ROLES } from '../migrations.js'
import { appendToOutbox, MAX_EVENTS_PER_COMMAND, outboxInsert, outboxStatement } from './outbox.js'

describe('an event for the outbox', () => {
  it('carries the id of the request that caused it, if there is one', () => {
    const inside = requestContext.run({ requestId: 'r1' }, () => dealEvent(1, 0))
    expect(inside.requestId).toBe('r1')
    expect(dealEvent(1, 0)).not.toHaveProperty('requestId')
  })

  it('becomes one value per column, in the order of the columns', () => {
    const event = dealEvent(7, 3)
    const values = outboxStatement().values([[event]])
    expect(values).toEqual([
      binaryArray('uuid', [event.id]),
      ...[event.topic, '7', event.type].map(value => binaryArray('text', [value])),
      binaryArray('jsonb', [JSON.stringify(event.payload)]),
      ...[null, null].map(value => binaryArray('text', [value])),
      binaryArray('timestamptz', [event.occurredAt]),
    ])
  })

  it('can be part of a larger statement, with its own parameter numbers and a join', () => {
    const statement = new BatchStatement<{ id: number; events: ReturnType<typeof dealEvent>[] }>('test', part => {
      const ids = part.rows('t', { id: 'bigint' }, ({ id }) => [{ id }])
      const insert = outboxInsert<{ events: ReturnType<typeof dealEvent>[] }>(
        'escrow.outbox',
        ({ events }) => events,
        't ON t.id::text = event.key',
      )
      return `WITH t AS (SELECT * FROM ${ids}) ${part.insert(insert)}`
    })
    const sql = statement.text.replace(/\s+/g, ' ')
    expect(sql).toContain('unnest($2::uuid[], $3::text[]')
    expect(sql).toContain('$9::timestamptz[])')
    expect(sql).toContain('JOIN t ON t.id::text = event.key ORDER BY event.nth')
  })

  it('is refused when a command writes too many', () => {
    const event = dealEvent(1, 0)
    expect(() => outboxStatement().values([Array.from({ length: MAX_EVENTS_PER_COMMAND + 1 }, () => event)])).toThrow(
      /at most/,
    )
  })

  it('is refused when its payload is too long', () => {
    const event = { ...dealEvent(1, 0), payload: { title: 'x'.repeat(300_000) } }
    expect(() => outboxStatement().values([[event]])).toThrow(/longer than/)
  })

  it('needs no statement when there are none', async () => {
    const query = (): Promise<unknown> => Promise.reject(new Error('asked'))
    await expect(appendToOutbox({ query })).resolves.toBeUndefined()
  })
})

describe('a topic', () => {
  it('begins with the schema of its owner, from which the database derives who may write to it', () => {
    for (const [topic, owner] of Object.entries(TOPIC_OWNERS) as [Topic, string][]) {
      const role = `${topic.split('.')[0]}_svc`
      expect(owner.replaceAll('-', '_')).toBe(role)
      expect(EVENT_ROLES).toContain(role)
    }
  })

  it('maps each key to the same partition in every release, and uses all partitions', () => {
    expect(['1', '2', '42', '01890000-0000-7000-8000-000000000001'].map(key => partitionOf(key, PARTITIONS))).toEqual([
      7, 5, 0, 2,
    ])
    const used = new Set(Array.from({ length: 200 }, (_, key) => partitionOf(String(key), PARTITIONS)))
    expect(used.size).toBe(PARTITIONS)
  })
})
