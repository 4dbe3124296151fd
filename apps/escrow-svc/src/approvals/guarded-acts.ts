import type { GuardedAct as Kind } from '@holdfast/kernel/admin'
import { Injectable } from '@nestjs/common'
import { AdjustLedger } from './adjust-ledger.js'
import { ForceRefund } from './force-refund.js'
import type { GuardedAct } from './guarded-act.js'
import { SendPayoutAgain } from './send-payout-again.js'

/** Every act that may need a second admin, by its kind. A kind without an act does not compile. */
@Injectable()
export class GuardedActs {
  private readonly acts: Readonly<Record<Kind, GuardedAct>>

  constructor(forceRefund: ForceRefund, adjustLedger: AdjustLedger, sendPayoutAgain: SendPayoutAgain) {
    this.acts = { 'refund.force': forceRefund, 'ledger.adjust': adjustLedger, 'payout.send_again': sendPayoutAgain }
  }

  of(kind: Kind): GuardedAct {
    return this.acts[kind]
  }
}
