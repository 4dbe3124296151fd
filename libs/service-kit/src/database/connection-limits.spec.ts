import { SERVICES } from '@holdfast/contracts/topology'
import type { DatabaseConfig } from '../lifecycle/config.js'
import { POOL_SIZE, sharesOfAll, sumOf } from './connection-limits.js'

it('behind a pooler, its sessions for each role are counted in place of what goes through it', () => {
  const REPLICAS = Object.fromEntries(SERVICES.map(name => [name, 2])) as DatabaseConfig['REPLICAS']
  const atServer = sharesOfAll('escrow-svc', 30, { REPLICAS })
  const pooled = sharesOfAll('escrow-svc', 30, { REPLICAS, POOLER_CONNECTIONS: 3 })
  expect(atServer[0]).toEqual({ of: 'escrow-svc', replicas: 2, connections: 30, pooled: 0 })
  expect(pooled[0]).toEqual({ of: 'escrow-svc', replicas: 2, connections: 30 - POOL_SIZE, pooled: 3 })
  // The gateway keeps no data and has no such pool.
  expect(sumOf(atServer) - sumOf(pooled)).toBe(5 * 2 * POOL_SIZE - 5 * 3)
})
