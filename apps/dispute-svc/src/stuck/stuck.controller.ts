import { stuckInternalRoutes as routes } from '@holdfast/contracts/admin'
import type { Parsed } from '@holdfast/contracts/route'
import { Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { StuckService } from './stuck.service.js'

@Controller()
export class StuckController {
  constructor(private readonly stuck: StuckService) {}

  @Route(routes.findDealsWithDispute)
  async find({ body }: Parsed<typeof routes.findDealsWithDispute>) {
    return { transactionIds: await this.stuck.findDealsWithDispute(body.transactionIds) }
  }
}
