import { publishAs } from '@holdfast/testing/event-log'
import type { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { promisesOfTwoReleases, type TestedLog } from '../../test/two-releases.js'

const embeddedLog = async (database: ScratchDatabase): Promise<TestedLog> => ({
  environment: {},
  publish: (...events) => publishAs('escrow-svc', database, ...events),
  async passed(group) {
    const { rows } = await database.admin.query<{ partition: number; position: string }>(
      `SELECT partition, position FROM events.cursor WHERE consumer_group = $1 AND topic = 'escrow.transaction'`,
      [group],
    )
    return new Map(rows.map(({ partition, position }) => [partition, Number(position)]))
  },
  stop: async () => undefined,
})

describe('two releases side by side on the embedded log', () => promisesOfTwoReleases(embeddedLog))
