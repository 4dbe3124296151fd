import { stuckInternalRoutes } from '@holdfast/contracts/admin'
import { Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { StuckService } from './stuck.service.js'

@Controller()
export class StuckController {
  constructor(private readonly stuck: StuckService) {}

  @Route(stuckInternalRoutes.findStuck)
  find() {
    return this.stuck.find()
  }

  @Route(stuckInternalRoutes.findDisputed)
  findDisputed() {
    return this.stuck.findDisputed()
  }
}
