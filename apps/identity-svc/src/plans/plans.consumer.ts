import { type PayloadOf, planChanged, userUpdated } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Controller } from '@nestjs/common'
import { User, viewOf } from '../users/user.entity.js'

// An event that is replayed after a fault can be older than the plan that is kept.
const KEEP = 'UPDATE users SET plan = $2, plan_since = $3 WHERE id = $1 AND plan_since <= $3 RETURNING id'

/** Keeps the plan of each user, which the escrow decides by their payments. */
@Controller()
export class PlansConsumer {
  @OnEvent(planChanged, { consumer: 'plans' })
  async keep({ userId, plan, at }: PayloadOf<typeof planChanged>, { manager }: OnceContext): Promise<void> {
    const [kept]: [unknown[], number] = await manager.query(KEEP, [userId, plan, at])
    if (kept.length === 0) return
    const user = await manager.findOneByOrFail(User, { id: userId })
    await appendToOutbox(manager, newEvent(userUpdated, userId, { user: viewOf(user) }, await databaseTime(manager)))
  }
}
