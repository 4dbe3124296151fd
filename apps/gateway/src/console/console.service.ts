import {
  auditInternalRoutes,
  type gatewayAdminRoutes,
  type KeptAct,
  type StuckCase,
  stuckInternalRoutes,
} from '@holdfast/contracts/admin'
import { type Approval, escrowAdminInternalRoutes } from '@holdfast/contracts/admin-escrow'
import { identityAdminInternalRoutes } from '@holdfast/contracts/admin-users'
import type { Input, Output, Parsed } from '@holdfast/contracts/route'
import { STUCK_RUNBOOKS } from '@holdfast/kernel/admin'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import type { UpstreamName } from '../config.js'
import { type CallContext, ServiceCalls } from '../services/service-calls.js'

const LIST_ACTS = auditInternalRoutes.listActs
type Decision = Parsed<typeof gatewayAdminRoutes.decideApproval>['body']
type ActsQuery = Input<typeof LIST_ACTS>['query'] & { readonly limit: number }

/** The services that keep acts of admins. */
const KEEPERS = ['escrow-svc', 'identity-svc', 'dispute-svc'] as const satisfies readonly UpstreamName[]

/** What the operator's console shows of several services. */
@Injectable()
export class ConsoleService {
  private readonly log = loggerOf('console')

  constructor(
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of the acts of all services, newest first. Their ids begin with their time, so each service's page begins behind the
   * same id, and the newest of all pages are the next page.
   */
  async audit(query: ActsQuery): Promise<KeptAct[]> {
    const pages = await Promise.all(KEEPERS.map(service => this.calls.call(service, LIST_ACTS, { query })))
    return pages
      .flat()
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, query.limit)
  }

  /**
   * Decides about a request on behalf of an admin. identity-svc knows which admins were appointed long enough ago, and escrow-svc who
   * asked.
   */
  async decideApproval(id: string, decision: Decision, context: CallContext): Promise<Approval> {
    const { userIds: approvers } =
      decision.decision === 'approve'
        ? await this.calls.call('identity-svc', identityAdminInternalRoutes.listApprovers, {})
        : { userIds: [] }
    const input = { params: { id }, body: { ...decision, approvers } }
    return this.calls.call('escrow-svc', escrowAdminInternalRoutes.decideRequest, input, context)
  }

  /** What does not go on by itself, the oldest first. While dispute-svc does not answer, the rest is shown, and that it is missing. */
  async stuck(): Promise<StuckCase[]> {
    const { cases, disputed } = await this.calls.call('escrow-svc', stuckInternalRoutes.findStuck, {})
    return byAge([...cases, ...(await this.stuckDisputes(disputed))])
  }

  private async stuckDisputes(disputed: Disputed): Promise<StuckCase[]> {
    const { findStuckDisputes, findDealsWithDispute } = stuckInternalRoutes
    const body = { transactionIds: disputed.map(({ transactionId }) => transactionId) }
    try {
      const [waiting, known] = await Promise.all([
        this.calls.call('dispute-svc', findStuckDisputes, {}),
        disputed.length === 0 ? { transactionIds: [] } : this.calls.call('dispute-svc', findDealsWithDispute, { body }),
      ])
      const withDispute = new Set(known.transactionIds)
      const without = disputed.filter(({ transactionId }) => !withDispute.has(transactionId))
      return [...waiting, ...without.map(withoutDispute)]
    } catch (error) {
      this.log.warn({ err: error }, 'the list of stuck cases is shown without disputes')
      return [
        {
          kind: 'not_checked',
          id: 'dispute-svc',
          transactionId: null,
          since: this.clock.now().toISOString(),
          text: 'dispute-svc does not answer. Disputes that wait for escrow and deals that are stopped without a dispute are not shown.',
          runbook: STUCK_RUNBOOKS.not_checked,
        },
      ]
    }
  }
}

const byAge = (cases: readonly StuckCase[]): StuckCase[] => [...cases].sort((a, b) => (a.since < b.since ? -1 : 1))

/** The deals that escrow-svc has stopped for some time. */
type Disputed = Output<typeof stuckInternalRoutes.findStuck>['disputed']

const withoutDispute = ({ transactionId, disputeId, since }: Disputed[number]): StuckCase => ({
  kind: 'disputed_without_dispute',
  id: String(transactionId),
  transactionId,
  since,
  text:
    disputeId === null
      ? 'The deal is stopped, and dispute-svc has no dispute about it.'
      : `The deal is stopped for dispute ${disputeId}, which dispute-svc does not have or has closed.`,
  runbook: STUCK_RUNBOOKS.disputed_without_dispute,
})
