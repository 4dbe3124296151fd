import { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import { payoutRoutes } from '@holdfast/contracts/payouts'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { PayoutAccountsService } from './payout-accounts.service.js'
import { PayoutsService } from './payouts.service.js'

/** A seller's balance, payouts and payout account, and the payouts that have not arrived, for operators. */
@Controller()
export class PayoutsController {
  constructor(
    private readonly payouts: PayoutsService,
    private readonly accounts: PayoutAccountsService,
  ) {}

  @Route(payoutRoutes.getPayouts)
  overview(_: Parsed<typeof payoutRoutes.getPayouts>, ctx: Ctx<typeof payoutRoutes.getPayouts>) {
    return this.payouts.overview(ctx.actor.id)
  }

  @Route(escrowAdminRoutes.listOpenPayouts)
  open() {
    return this.payouts.listOpen()
  }

  @Route(payoutRoutes.createPayout)
  payOut({ headers }: Parsed<typeof payoutRoutes.createPayout>, ctx: Ctx<typeof payoutRoutes.createPayout>) {
    return this.payouts.request(ctx.actor.id, headers['idempotency-key'])
  }

  @Route(payoutRoutes.getPayoutAccount)
  account(_: Parsed<typeof payoutRoutes.getPayoutAccount>, ctx: Ctx<typeof payoutRoutes.getPayoutAccount>) {
    return this.accounts.view(ctx.actor.id)
  }

  @Route(payoutRoutes.putPayoutAccount)
  onboard(_: Parsed<typeof payoutRoutes.putPayoutAccount>, ctx: Ctx<typeof payoutRoutes.putPayoutAccount>) {
    return this.accounts.onboard(ctx.actor.id)
  }
}
