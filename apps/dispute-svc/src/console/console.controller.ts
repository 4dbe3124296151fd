import { auditInternalRoutes, stuckInternalRoutes } from '@holdfast/contracts/admin'
import type { Parsed } from '@holdfast/contracts/route'
import { Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ConsoleService } from './console.service.js'

const routes = { ...auditInternalRoutes, ...stuckInternalRoutes }

@Controller()
export class ConsoleController {
  constructor(private readonly console: ConsoleService) {}

  @Route(routes.findDealsWithDispute)
  async findDealsWithDispute({ body }: Parsed<typeof routes.findDealsWithDispute>) {
    return { transactionIds: await this.console.findDealsWithDispute(body.transactionIds) }
  }

  @Route(routes.findStuckDisputes)
  findStuck() {
    return this.console.findStuck()
  }

  @Route(routes.listActs)
  listActs({ query }: Parsed<typeof routes.listActs>) {
    return this.console.listActs(query)
  }
}
