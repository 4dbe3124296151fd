import { listingInternalRoutes, listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { answerListing, answerPage } from './answers.js'
import { FacetsReader } from './facets.reader.js'
import { toListing, versionOf } from './listing-row.js'
import { ListingsReader } from './listings.reader.js'
import { ListingsService } from './listings.service.js'

const { listListings, countListings, getListing, updateListing, relistListing, withdrawListing } = listingRoutes
const { createListingRecord, getListingTerms } = listingInternalRoutes

@Controller()
export class ListingsController {
  constructor(
    private readonly listings: ListingsService,
    private readonly reader: ListingsReader,
    private readonly facets: FacetsReader,
  ) {}

  @Route(listListings)
  async list({ query }: Parsed<typeof listListings>, ctx: Ctx<typeof listListings>) {
    return answerPage(await this.reader.list(query, ctx.actor?.id ?? null), query, ctx)
  }

  @Route(countListings)
  count({ query }: Parsed<typeof countListings>, ctx: Ctx<typeof countListings>) {
    const viewer = ctx.actor?.id ?? addressKey(ctx.clientIp)
    return this.facets.count(query, { viewer, left: callerLeft(ctx.reply) })
  }

  @Route(getListing)
  async get({ params }: Parsed<typeof getListing>, ctx: Ctx<typeof getListing>) {
    return answerListing(await this.reader.get(params.id, ctx.actor?.id ?? null), ctx)
  }

  @Route(updateListing)
  async update({ params, headers, body }: Parsed<typeof updateListing>, ctx: Ctx<typeof updateListing>) {
    const expected = versionOf(headers['if-match'])
    return answerListing(await this.listings.update(params.id, body, ctx, expected), ctx)
  }

  @Route(relistListing)
  async relist({ params, body }: Parsed<typeof relistListing>, ctx: Ctx<typeof relistListing>) {
    return toListing(await this.listings.relist(params.id, body.legalAcceptance, ctx))
  }

  @Route(withdrawListing)
  withdraw({ params }: Parsed<typeof withdrawListing>, ctx: Ctx<typeof withdrawListing>) {
    return this.listings.withdraw(params.id, ctx.actor)
  }

  @Route(createListingRecord)
  create({ body }: Parsed<typeof createListingRecord>, ctx: Ctx<typeof createListingRecord>) {
    return this.listings.create(body, ctx)
  }

  @Route(getListingTerms)
  terms({ params }: Parsed<typeof getListingTerms>, ctx: Ctx<typeof getListingTerms>) {
    return this.listings.terms(params.id, ctx)
  }
}
