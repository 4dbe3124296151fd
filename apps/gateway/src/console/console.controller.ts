import { gatewayAdminRoutes as routes } from '@holdfast/contracts/admin'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ConsoleService } from './console.service.js'

@Controller()
export class ConsoleController {
  constructor(private readonly console: ConsoleService) {}

  @Route(routes.listAudit)
  async audit({ query }: Parsed<typeof routes.listAudit>, ctx: Ctx<typeof routes.listAudit>) {
    const page = await this.console.audit(query)
    linkFullPage(ctx, routes.listAudit, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(routes.decideApproval)
  decideApproval({ params, body }: Parsed<typeof routes.decideApproval>, ctx: Ctx<typeof routes.decideApproval>) {
    return this.console.decideApproval(params.id, body, ctx)
  }

  @Route(routes.listStuck)
  stuck() {
    return this.console.stuck()
  }
}
