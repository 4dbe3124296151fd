import { transactionInternalRoutes as routes } from '@holdfast/contracts/transaction-routes'
import { ApiError } from '@holdfast/http-client/api-error'
import { call } from '@holdfast/http-client/call'
import { DomainError, type ErrorCode, type ErrorDetails } from '@holdfast/kernel/errors'
import { ServiceClient } from '@holdfast/service-kit/http/service-client'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { DisputeConfig } from '../config.js'

/** The one service that another may ask: disputes freeze and resume deals. */
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
   * Stops a deal for a dispute; asked again it changes nothing.
   *
   * @throws DomainError what the escrow refuses it with, such as `ESCROW_WRONG_STATE`; any other error means "could not
   * tell": ask again
   */
  freeze(transactionId: number, disputeId: number, reporterId: string) {
    const input = { params: { id: String(transactionId) }, body: { disputeId, reporterId } }
    return call(routes.freezeTransaction, input, this.client.as()).catch(asRefusal)
  }

  /** Takes a deal up again; asked again it changes nothing. Throws as `freeze` does. */
  resume(transactionId: number, disputeId: number, withdrawnBy: string | undefined) {
    const input = { params: { id: String(transactionId) }, body: { disputeId, withdrawnBy } }
    return call(routes.resumeTransaction, input, this.client.as()).catch(asRefusal)
  }
}

/**
 * What the escrow says no with when it has looked at the deal. Any other refusal, such as of a signature that came too
 * late, says nothing about it: an earlier call that nobody heard the answer of may have frozen it.
 */
const SAID_OF_THE_DEAL: readonly ErrorCode[] = ['TRANSACTION_NOT_FOUND', 'ESCROW_WRONG_STATE', 'CONFLICT']

/** A clear no from the escrow is the answer to whoever asked us. */
function asRefusal(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  const code = SAID_OF_THE_DEAL.find(known => known === error.code)
  if (!code) throw error
  throw new DomainError(code, (error.details ?? undefined) as ErrorDetails | undefined)
}
