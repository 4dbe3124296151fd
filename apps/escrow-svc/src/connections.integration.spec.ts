import pg from 'pg'
import { RunningEscrow } from '../test/running-escrow.js'
import { CONNECTIONS } from './connections.js'

const { Pool, Client } = pg
afterEach(() => {
  Object.assign(pg, { Pool, Client })
})

it('opens as many connections as it says', async () => {
  const opened: (readonly [name: string | undefined, connections: number])[] = []
  class CountedPool extends Pool {
    constructor(options: pg.PoolConfig) {
      super(options)
      opened.push([options.application_name, options.max ?? Number.POSITIVE_INFINITY])
    }
  }
  class CountedClient extends Client {
    constructor(options: pg.ClientConfig) {
      super(options)
      opened.push([options.application_name, 1])
    }
  }
  Object.assign(pg, { Pool: CountedPool, Client: CountedClient })
  const escrow = await RunningEscrow.start()
  await escrow.stop()
  // The others are those of the migrations and of the test itself.
  const own = opened.filter(([name]) => name?.startsWith('escrow'))
  expect(own.reduce((sum, [, connections]) => sum + connections, 0)).toBe(CONNECTIONS)
})
