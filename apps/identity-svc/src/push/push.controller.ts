import { pushRoutes as routes } from '@holdfast/contracts/push'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { PushSubscriptionsService } from './push-subscriptions.service.js'

@Controller()
export class PushController {
  constructor(private readonly subscriptions: PushSubscriptionsService) {}

  @Route(routes.getPush)
  async get(_: unknown, { actor }: Ctx<typeof routes.getPush>) {
    return { publicKey: this.subscriptions.publicKey, browsers: await this.subscriptions.list(actor) }
  }

  @Route(routes.addPushSubscription)
  add({ body }: Parsed<typeof routes.addPushSubscription>, { actor }: Ctx<typeof routes.addPushSubscription>) {
    return this.subscriptions.add(actor, body)
  }

  @Route(routes.removePushSubscription)
  remove(
    { params }: Parsed<typeof routes.removePushSubscription>,
    { actor }: Ctx<typeof routes.removePushSubscription>,
  ) {
    return this.subscriptions.remove(actor.id, params.subscriptionId)
  }
}
