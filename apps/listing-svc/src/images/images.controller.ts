import { listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { sendPicture } from '@holdfast/pictures/send-picture'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ImagesService } from './images.service.js'

@Controller()
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Route(listingRoutes.getImage)
  async get({ params }: Parsed<typeof listingRoutes.getImage>, ctx: Ctx<typeof listingRoutes.getImage>) {
    return sendPicture(await this.images.find(params.hash, ctx.actor?.id ?? null), ctx)
  }

  @Route(listingRoutes.getScaledImage)
  async getScaled(
    { params }: Parsed<typeof listingRoutes.getScaledImage>,
    ctx: Ctx<typeof listingRoutes.getScaledImage>,
  ) {
    const viewer = { userId: ctx.actor?.id ?? null, address: addressKey(ctx.clientIp) }
    return sendPicture(await this.images.findScaled(params.hash, params.width, viewer), ctx)
  }
}
