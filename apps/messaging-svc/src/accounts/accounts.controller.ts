import { type PayloadOf, userClosed } from '@holdfast/contracts/events'
import { personalDataInternalRoutes } from '@holdfast/contracts/personal-data'
import type { Parsed } from '@holdfast/contracts/route'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { eraseUser } from './erasure.js'
import { PersonalDataService } from './personal-data.service.js'

const { readPersonalData } = personalDataInternalRoutes

@Controller()
export class AccountsController {
  constructor(private readonly data: PersonalDataService) {}

  @Route(readPersonalData)
  read({ query }: Parsed<typeof readPersonalData>, { actor }: Ctx<typeof readPersonalData>) {
    const { part, after = null } = query
    return this.data.read({ part, after, userId: requireUser(actor).id })
  }

  @OnEvent(userClosed, { consumer: 'account-closed' })
  close({ userId }: PayloadOf<typeof userClosed>, { manager }: OnceContext): Promise<void> {
    return eraseUser(manager, userId)
  }
}
