import { paymentRoutes } from '@holdfast/contracts/payments'
import type { Parsed } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import { BadSignatures } from '@holdfast/service-kit/auth/bad-signatures'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { signedBody } from '@holdfast/service-kit/http/signed-body'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'
import { countedWebhook } from '../provider/webhook-metrics.js'
import { ParcelsService } from './parcels.service.js'

const { getTracking } = transactionRoutes
const { carrierWebhook } = paymentRoutes
const { trackParcel } = transactionInternalRoutes

/** The route that shows a parcel, and the carrier's webhook. */
@Controller()
export class TrackingController {
  readonly #badSignatures: BadSignatures

  constructor(
    private readonly parcels: ParcelsService,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.#badSignatures = new BadSignatures(dataSource)
  }

  @Route(getTracking)
  tracking({ params }: Parsed<typeof getTracking>, ctx: Ctx<typeof getTracking>) {
    return this.parcels.get(params.trackingNumber, ctx.actor.id)
  }

  @Route(carrierWebhook)
  carrier(_: Parsed<typeof carrierWebhook>, { request, clientIp }: Ctx<typeof carrierWebhook>) {
    const signature = request.headers[SIGNATURE_HEADERS.carrier] as string | undefined
    const handle = () => this.parcels.receive(signedBody(request), signature)
    return this.#badSignatures.limit(clientIp, () => countedWebhook('carrier', signature, handle))
  }

  @Route(trackParcel)
  track({ body }: Parsed<typeof trackParcel>) {
    return this.parcels.track(body)
  }
}
