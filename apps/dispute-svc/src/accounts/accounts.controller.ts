import { accountInternalRoutes } from '@holdfast/contracts/account'
import { type PayloadOf, picturesDropped } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { answerDropped } from './dropped-pictures.js'
import { obstaclesOf } from './obstacles.js'

const { listObstacles } = accountInternalRoutes

@Controller()
export class AccountsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Route(listObstacles)
  async obstacles(_: unknown, { actor }: Ctx<typeof listObstacles>) {
    return { obstacles: await obstaclesOf(this.dataSource, requireUser(actor).id) }
  }

  @OnEvent(picturesDropped, { consumer: 'dropped-pictures' })
  dropped(dropped: PayloadOf<typeof picturesDropped>, { manager }: OnceContext): Promise<void> {
    return answerDropped(dropped, manager)
  }
}
