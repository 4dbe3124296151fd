import { accountInternalRoutes, type Obstacle } from '@holdfast/contracts/account'
import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import type { UserContext } from '../deals/deals.service.js'
import { ServiceCalls } from '../services/service-calls.js'

const { listObstacles, beginClosing } = accountInternalRoutes
/** The services that know what stands in the way, in the order in which a user reads it. */
const ASKED = ['identity-svc', 'escrow-svc', 'dispute-svc'] as const

/** Closing an account. */
@Injectable()
export class ClosingService {
  constructor(private readonly calls: ServiceCalls) {}

  /** What stands in the way. @throws ConnectionError when a service does not answer: then the account is not closed */
  async obstacles(context: UserContext): Promise<Obstacle[]> {
    const asked = { ...context, isRead: true }
    const answers = await Promise.all(ASKED.map(service => this.calls.call(service, listObstacles, {}, asked)))
    return answers.flatMap(({ obstacles }) => obstacles)
  }

  /**
   * Begins to close the account, unless something stands in the way now. identity-svc and escrow-svc decide about what comes meanwhile.
   *
   * @throws DomainError ACCOUNT_IN_USE with `details.obstacles`; ApiError as identity-svc refuses
   */
  async close(currentPassword: string | undefined, context: UserContext): Promise<void> {
    const obstacles = await this.obstacles(context)
    if (obstacles.length > 0) throw new DomainError('ACCOUNT_IN_USE', { obstacles })
    await this.calls.call('identity-svc', beginClosing, { body: { currentPassword } }, context)
  }
}
