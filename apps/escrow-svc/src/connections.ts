import { EVENT_CONNECTIONS } from '@holdfast/events/events.module'
import { POOL_SIZE } from '@holdfast/service-kit/database/connection-limits'
import { TIMER_CONNECTIONS } from '@holdfast/timers/postgres-store'
import { MONEY_CONNECTIONS } from './deals/deals.repository.js'

/** The most connections to the database that one replica opens. Each pool and each single connection is counted here. */
export const CONNECTIONS = POOL_SIZE + MONEY_CONNECTIONS + EVENT_CONNECTIONS + TIMER_CONNECTIONS
