import { type PayloadOf, payoutAccountChanged } from '@holdfast/contracts/events'
import { payoutConfirmationRoutes as routes } from '@holdfast/contracts/payouts'
import type { Parsed } from '@holdfast/contracts/route'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { PayoutAccountsService } from './payout-accounts.service.js'

@Controller()
export class PayoutAccountsController {
  constructor(private readonly accounts: PayoutAccountsService) {}

  @OnEvent(payoutAccountChanged, { consumer: 'payout-account-mails' })
  changed(change: PayloadOf<typeof payoutAccountChanged>, { manager }: OnceContext): Promise<void> {
    return this.accounts.queue(change, manager)
  }

  @Route(routes.confirmPayoutAccount)
  async confirm(
    { body }: Parsed<typeof routes.confirmPayoutAccount>,
    { actor }: Ctx<typeof routes.confirmPayoutAccount>,
  ): Promise<void> {
    await this.accounts.confirm(body.token, actor.id)
  }
}
