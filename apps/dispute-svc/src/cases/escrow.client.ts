import { stuckInternalRoutes } from '@holdfast/contracts/admin'
import { type Input, isRepeatable, type Output, type RouteDefinition } from '@holdfast/contracts/route'
import { transactionInternalRoutes as routes } from '@holdfast/contracts/transaction-internal-routes'
import { ApiError } from '@holdfast/http-client/api-error'
import { call } from '@holdfast/http-client/call'
import { firstAnswer } from '@holdfast/http-client/hedged'
import { DomainError, type ErrorCode, type ErrorDetails } from '@holdfast/kernel/errors'
import { ServiceClient } from '@holdfast/service-kit/http/service-client'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { DisputeConfig } from '../config.js'
import type { ReturningParcel } from './returns.repository.js'

/** How often a call is made again at once, when the deal changes just before it. */
const MAX_ATTEMPTS = 3

/** Freezes, resumes and settles deals at escrow-svc, and asks about them. This is the only call between two services behind the gateway. */
@Injectable()
export class EscrowClient implements OnApplicationShutdown {
  private readonly client: ServiceClient

  constructor(@Inject(CONFIG) { ESCROW_URL: origin, ACTOR_KEYS: keys }: DisputeConfig) {
    this.client = new ServiceClient({ caller: 'dispute-svc', callee: 'escrow-svc', origin, keys })
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close()
  }

  /**
   * Freezes a deal for a dispute. A repeated call changes nothing.
   *
   * @throws DomainError when escrow refuses it, such as `ESCROW_WRONG_STATE`. After any other error the outcome is unknown,
   * and the call must be repeated.
   */
  freeze(transactionId: number, disputeId: number, reporterId: string) {
    const input = { params: { id: String(transactionId) }, body: { disputeId, reporterId } }
    return this.call(routes.freezeTransaction, input).catch(asRefusal)
  }

  /**
   * Resumes a frozen deal. A repeated call changes nothing. Throws as `freeze` does.
   *
   * @param withdrawal who withdrew the dispute, and the deal's version; left out when the dispute is closed already
   */
  resume(
    transactionId: number,
    disputeId: number,
    withdrawal?: { readonly withdrawnBy: string; readonly dealVersion: number },
  ) {
    const input = { params: { id: String(transactionId) }, body: { disputeId, ...withdrawal } }
    return this.call(routes.resumeTransaction, input).catch(asRefusal)
  }

  /** The deals that are disputed for a while, the oldest first. @throws Error when escrow does not answer */
  disputedDeals() {
    return this.call(stuckInternalRoutes.findDisputed, {})
  }

  /** What decides how a deal's hold would be split. Throws as `freeze` does. */
  settlementTerms(transactionId: number) {
    return this.call(routes.getSettlementTerms, { params: { id: String(transactionId) } }).catch(asRefusal)
  }

  /**
   * Makes a call that names the deal's version, and makes it again when the deal changes just before it. A call about an older version is
   * refused, so one that is late cannot carry out what was taken back.
   *
   * @throws Error when the deal changes all the time; besides that as `freeze`
   */
  async atVersion<T>(transactionId: number, make: (dealVersion: number) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { version } = await this.settlementTerms(transactionId)
      try {
        return await make(version)
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
    }
    throw new Error(`deal ${transactionId} changes all the time`)
  }

  /** Asks the carrier through escrow when a parcel was delivered; null while it is not. @throws Error when it cannot be asked */
  async deliveryOf({ shippedAt, ...parcel }: ReturningParcel): Promise<Date | null> {
    const body = { ...parcel, shippedAt: shippedAt.toISOString() }
    const { deliveredAt } = await this.call(routes.trackParcel, { body })
    return deliveredAt === null ? null : new Date(deliveredAt)
  }

  /**
   * Ends a dispute with money. A repeated call for the same dispute changes nothing. Throws as `freeze` does; `CONFLICT` that names
   * no dispute when the deal is not at `dealVersion` any more: then the call is repeated with the deal's version of now.
   */
  settle(transactionId: number, settlement: Input<typeof routes.settleDispute>['body']) {
    const input = { params: { id: String(transactionId) }, body: settlement }
    return this.call(routes.settleDispute, input).catch(asRefusal)
  }

  /** Calls a route. A repeatable call is sent again when the replica that got it hangs. */
  private call<R extends RouteDefinition>(route: R, input: Input<R>): Promise<Output<R>> {
    const send = (onReplicaHangs?: () => void) => call(route, input, this.client.as(undefined, onReplicaHangs))
    return isRepeatable(route, undefined) ? firstAnswer(send) : send()
  }
}

/**
 * The codes with which escrow refuses after it has read the deal. After any other refusal, such as of an expired signature,
 * the state of the deal is unknown: an earlier call whose answer was lost may have frozen it.
 */
const REFUSALS_OF_THE_DEAL: readonly ErrorCode[] = [
  'TRANSACTION_NOT_FOUND',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
  'SELLER_NOT_ACCEPTED',
  'DISPUTE_ENDED',
  'AMOUNT_INVALID',
  'CONFLICT',
]

/** Whether the deal has changed since its version was read. Another conflict names the dispute that stops the deal. */
const isOutdated = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'CONFLICT' && error.details?.disputeId === undefined

/** Converts a refusal of the deal into a DomainError for the caller; rethrows every other error. */
function asRefusal(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  const code = REFUSALS_OF_THE_DEAL.find(known => known === error.code)
  if (!code) throw error
  throw new DomainError(code, (error.details ?? undefined) as ErrorDetails | undefined)
}
