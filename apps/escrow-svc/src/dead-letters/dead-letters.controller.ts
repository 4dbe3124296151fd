import { eventAdminRoutes as routes } from '@holdfast/contracts/admin-events'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { DeadLettersService } from './dead-letters.service.js'

@Controller()
export class DeadLettersController {
  constructor(private readonly letters: DeadLettersService) {}

  @Route(routes.listDeadLetters)
  async list({ query }: Parsed<typeof routes.listDeadLetters>, ctx: Ctx<typeof routes.listDeadLetters>) {
    const page = await this.letters.list({ ...query, openOnly: query.open === 'true' })
    linkFullPage(ctx, routes.listDeadLetters, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(routes.replayDeadLetter)
  async replay({ params, body }: Parsed<typeof routes.replayDeadLetter>, ctx: Ctx<typeof routes.replayDeadLetter>) {
    return { requested: await this.letters.replay(params.id, { actorId: ctx.actor.id, reason: body.reason }) }
  }

  @Route(routes.replayDeadLetters)
  async replayType({ body }: Parsed<typeof routes.replayDeadLetters>, ctx: Ctx<typeof routes.replayDeadLetters>) {
    return { requested: await this.letters.replayType(body.type, { actorId: ctx.actor.id, reason: body.reason }) }
  }
}
