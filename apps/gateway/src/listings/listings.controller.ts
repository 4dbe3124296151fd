import { listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ListingsService } from './listings.service.js'

const { createListing } = listingRoutes

@Controller()
export class ListingsController {
  constructor(private readonly listings: ListingsService) {}

  @Route(createListing)
  create({ body }: Parsed<typeof createListing>, ctx: Ctx<typeof createListing>) {
    return this.listings.create(body, ctx)
  }
}
