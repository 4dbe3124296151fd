import { listingInternalRoutes, listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ImagesService } from './images.service.js'
import { sendImage } from './send-image.js'

const { keepPictures, getPicture } = listingInternalRoutes

@Controller()
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Route(listingRoutes.getImage)
  async get({ params }: Parsed<typeof listingRoutes.getImage>, ctx: Ctx<typeof listingRoutes.getImage>) {
    return sendImage(await this.images.find(params.hash, ctx.actor?.id ?? null), ctx)
  }

  @Route(listingRoutes.getScaledImage)
  async getScaled(
    { params }: Parsed<typeof listingRoutes.getScaledImage>,
    ctx: Ctx<typeof listingRoutes.getScaledImage>,
  ) {
    const viewer = { userId: ctx.actor?.id ?? null, address: addressKey(ctx.clientIp) }
    return sendImage(await this.images.findScaled(params.hash, params.width, viewer), ctx)
  }

  @Route(keepPictures)
  async keep({ body }: Parsed<typeof keepPictures>, { actor, reply }: Ctx<typeof keepPictures>) {
    if (actor?.kind !== 'user') throw new DomainError('UNAUTHENTICATED')
    const kept = await this.images.keep(body.images, { userId: actor.id, left: callerLeft(reply) })
    return { hashes: kept.filter(hash => hash !== null) }
  }

  @Route(getPicture)
  async getStored({ params }: Parsed<typeof getPicture>, ctx: Ctx<typeof getPicture>) {
    return sendImage(await this.images.findStored(params.hash), ctx)
  }
}
