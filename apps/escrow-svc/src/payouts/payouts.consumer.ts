import { type PayloadOf, userConfirmedPayoutAccount, userRegistered, userUpdated } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { PayoutAccountsService } from './payout-accounts.service.js'

@Controller()
export class PayoutsConsumer {
  constructor(private readonly accounts: PayoutAccountsService) {}

  /** Keeps which users are verified and have confirmed their e-mail address: only they are paid out. */
  @OnEvent([userRegistered, userUpdated], { consumer: 'payees' })
  keep({ user }: PayloadOf<typeof userUpdated>, { event, manager }: OnceContext): Promise<void> {
    return this.accounts.keepUser(user, event.occurredAt, manager)
  }

  @OnEvent(userConfirmedPayoutAccount, { consumer: 'confirmed-payout-accounts' })
  goOn(confirmed: PayloadOf<typeof userConfirmedPayoutAccount>, { manager }: OnceContext): Promise<void> {
    return this.accounts.goOn(confirmed, manager)
  }
}
