import { TRANSPORT_CONNECTIONS } from '@holdfast/events/embedded/embedded-transport'
import { CLOCK_CONNECTIONS } from './live/clock-connection.js'

/** The most connections to the database that one replica opens. Each pool and each single connection is counted here. */
export const CONNECTIONS = TRANSPORT_CONNECTIONS + CLOCK_CONNECTIONS
