import { once } from 'node:events'
import type { Evidence } from '@holdfast/contracts/disputes'
import { disputeInternalRoutes, disputePictureRoutes, disputeRoutes } from '@holdfast/contracts/disputes'
import { listingInternalRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { urlOf } from '@holdfast/http-client/call'
import { DomainError } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { Injectable } from '@nestjs/common'
import { Exchange } from '../forwarding/exchange.js'
import { UnreadAnswers } from '../forwarding/unread-answers.js'
import { ServiceCalls } from '../services/service-calls.js'
import { Upstreams } from '../services/upstreams.js'

type NewEvidence = Parsed<typeof disputeRoutes.addEvidence>['body']
type PictureParams = Parsed<typeof disputePictureRoutes.getEvidenceImage>['params']
type Context = RequestContext<UserActor>

const { addEvidenceEntry, findEvidencePicture, getDisputeCaseRecord } = disputeInternalRoutes
const { keepPictures, getPicture } = listingInternalRoutes

/** Decoding ten large pictures takes longer than other calls. */
const KEEP_TIMEOUT_MS = 60_000

/**
 * The pictures of evidence. listing-svc checks, encodes and stores them like those of listings, so that only the pixels are kept.
 * dispute-svc knows their hashes and who may see them.
 */
@Injectable()
export class EvidencePictures {
  readonly #unread = new UnreadAnswers()

  constructor(
    private readonly calls: ServiceCalls,
    private readonly upstreams: Upstreams,
  ) {}

  /** Stores the pictures, and then adds the entry that has their hashes. */
  async add(id: number, { note, images }: NewEvidence, context: Context): Promise<Evidence> {
    const hashes = images.length > 0 ? await this.keep(id, images, context) : []
    const input = { params: { id: String(id) }, body: { note, images: [...hashes] } }
    return this.calls.call('dispute-svc', addEvidenceEntry, input, context)
  }

  /** Streams a picture to a party or a mediator. Resolves when it is sent. @throws ApiError NOT_FOUND for everybody else */
  async send({ id, n, index }: PictureParams, { actor, clientIp, request, reply }: Context): Promise<void> {
    const params = { id: String(id), n: String(n), index: String(index) }
    const { sha256 } = await this.calls.call('dispute-svc', findEvidencePicture, { params }, { actor, clientIp })
    const upstream = this.upstreams.get('listing-svc')
    const path = urlOf(getPicture.path, { params: { hash: sha256 } })
    const headers = upstream.client.headersFor('GET', path, { actor, clientIp }, request.id)
    new Exchange(upstream, { method: 'GET', path, headers, body: null, client: actor.id }, reply, this.#unread).start()
    await once(reply.raw, 'close')
  }

  /** Checks first that the user may add evidence, so that nobody else makes the product decode pictures. */
  private async keep(id: number, images: readonly string[], context: Context): Promise<readonly string[]> {
    const { actor, clientIp } = context
    const input = { params: { id: String(id) } }
    const { actions, viewerRole } = await this.calls.call('dispute-svc', getDisputeCaseRecord, input, {
      actor,
      clientIp,
    })
    if (viewerRole === 'mediator') throw new DomainError('FORBIDDEN')
    if (!actions.includes('addEvidence')) throw new DomainError('DISPUTE_WRONG_STATE')
    const kept = await this.calls.call(
      'listing-svc',
      keepPictures,
      { body: { images: [...images] } },
      {
        actor,
        clientIp,
        timeoutMs: KEEP_TIMEOUT_MS,
      },
    )
    return kept.hashes
  }
}
