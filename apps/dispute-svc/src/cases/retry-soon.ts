import { fromNow } from '@holdfast/service-kit/database/database-time'

/**
 * A call to escrow with an unknown outcome is repeated after this time. Escrow recognises it by the dispute's id. The time is
 * the database's, by which the repetition is due: the clock of a process may be wrong.
 */
const RETRY_MS = 10_000
export const retrySoon = fromNow(RETRY_MS)
