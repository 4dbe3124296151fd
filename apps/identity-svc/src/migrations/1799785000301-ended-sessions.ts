import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** The index by which ended sessions are found that are to be deleted. */
export class EndedSessions1799785000301 extends OnlineIndexes {
  readonly name = 'EndedSessions1799785000301'
  protected readonly indexes = {
    sessions_by_end: 'sessions (least(expires_at, revoked_at))',
  }
}
