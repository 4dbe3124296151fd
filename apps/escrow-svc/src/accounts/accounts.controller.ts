import { accountInternalRoutes } from '@holdfast/contracts/account'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { obstaclesOf } from './obstacles.js'

const { listObstacles } = accountInternalRoutes

@Controller()
export class AccountsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Route(listObstacles)
  async obstacles(_: unknown, { actor }: Ctx<typeof listObstacles>) {
    return { obstacles: await obstaclesOf(this.dataSource, requireUser(actor).id) }
  }
}
