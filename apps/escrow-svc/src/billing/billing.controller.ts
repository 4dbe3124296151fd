import { paymentMethodRoutes } from '@holdfast/contracts/payment-methods'
import type { Parsed } from '@holdfast/contracts/route'
import { subscriptionRoutes } from '@holdfast/contracts/subscriptions'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { SavedCardsService } from './saved-cards.service.js'
import { SubscribingService } from './subscribing.service.js'
import { SubscriptionViewsService } from './subscription-views.service.js'
import { SubscriptionsService } from './subscriptions.service.js'

const routes = { ...subscriptionRoutes, ...paymentMethodRoutes }

/** Premium and its invoices, and the saved cards of a user. */
@Controller()
export class BillingController {
  constructor(
    private readonly subscribing: SubscribingService,
    private readonly subscriptions: SubscriptionsService,
    private readonly views: SubscriptionViewsService,
    private readonly cards: SavedCardsService,
  ) {}

  @Route(routes.createSubscription)
  begin({ body }: Parsed<typeof routes.createSubscription>, ctx: Ctx<typeof routes.createSubscription>) {
    return this.subscribing.begin(ctx.actor.id, body.interval ?? null)
  }

  @Route(routes.getSubscription)
  subscription(_: Parsed<typeof routes.getSubscription>, ctx: Ctx<typeof routes.getSubscription>) {
    return this.views.view(ctx.actor.id)
  }

  @Route(routes.cancelSubscription)
  cancel(_: Parsed<typeof routes.cancelSubscription>, ctx: Ctx<typeof routes.cancelSubscription>) {
    return this.subscriptions.cancel(ctx.actor.id)
  }

  @Route(routes.resumeSubscription)
  resume(_: Parsed<typeof routes.resumeSubscription>, ctx: Ctx<typeof routes.resumeSubscription>) {
    return this.subscriptions.resume(ctx.actor.id)
  }

  @Route(routes.listInvoices)
  invoices(_: Parsed<typeof routes.listInvoices>, ctx: Ctx<typeof routes.listInvoices>) {
    return this.views.invoices(ctx.actor.id)
  }

  @Route(routes.listPaymentMethods)
  list(_: Parsed<typeof routes.listPaymentMethods>, ctx: Ctx<typeof routes.listPaymentMethods>) {
    return this.cards.list(ctx.actor.id)
  }

  @Route(routes.setUpPaymentMethod)
  setUp(_: Parsed<typeof routes.setUpPaymentMethod>, ctx: Ctx<typeof routes.setUpPaymentMethod>) {
    return this.cards.setUp(ctx.actor.id)
  }

  @Route(routes.makeDefaultPaymentMethod)
  makeDefault(
    { params }: Parsed<typeof routes.makeDefaultPaymentMethod>,
    ctx: Ctx<typeof routes.makeDefaultPaymentMethod>,
  ) {
    return this.cards.makeDefault(ctx.actor.id, params.cardId)
  }

  @Route(routes.removePaymentMethod)
  remove({ params }: Parsed<typeof routes.removePaymentMethod>, ctx: Ctx<typeof routes.removePaymentMethod>) {
    return this.cards.remove(ctx.actor.id, params.cardId)
  }
}
