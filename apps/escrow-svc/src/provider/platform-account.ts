import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import Stripe from 'stripe'
import { DataSource } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { isLiveKey, stripeClient } from './stripe-calls.js'

/** A question that was answered with another account is repeated after this time at the earliest. */
const ASK_AGAIN_AFTER_MS = 5_000
const WAIT_AT_START_MS = 2_000

const isOurs = gauge(
  'escrow_platform_account_ok',
  'Whether the provider’s key is known to be of our own account: 1 or 0',
)

/** The key belongs to another account at the provider than the one with which this database was used. */
class ForeignKey extends Error {
  override readonly name = 'ForeignKey'
}

/**
 * Our own account at the provider. The first account with which a database is used is remembered, for test mode and live mode each.
 * No call is sent with a key that is not known to be of that account: for a key of another platform every seller's account looks
 * closed, and every payment, refund and payout unknown.
 */
@Injectable()
export class PlatformAccount implements OnApplicationBootstrap {
  /** Stripe's client for all other calls. Each call waits until the key is known to be ours, and fails when it is not. */
  readonly client: Stripe
  private readonly log = loggerOf('platform-account')
  private readonly unguarded: Stripe
  private check: Promise<void> | undefined
  private foreign: ForeignKey | undefined

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly health: Health,
  ) {
    this.unguarded = stripeClient(config, { maxNetworkRetries: 0 })
    this.client = stripeClient(config, { before: () => this.assertOurs() })
  }

  /**
   * Asks before the first request comes, so that a process with a foreign key is never ready. It waits only a moment: most commands
   * need no provider. When there is no answer, the next call to the provider asks again.
   */
  async onApplicationBootstrap(): Promise<void> {
    this.health.add({
      name: 'platform account',
      kind: 'required',
      run: async () => {
        if (this.foreign) await this.assertOurs()
      },
    })
    const asked = this.assertOurs().catch(error => {
      if (!(error instanceof ForeignKey))
        this.log.warn(
          { err: error },
          'the provider does not say whose key ours is: no other call is sent until it does',
        )
    })
    await isDoneWithin(WAIT_AT_START_MS, asked)
  }

  /** @throws Error when the key is of another account, or when the provider does not say of which */
  private assertOurs(): Promise<void> {
    this.check ??= this.ask().then(
      () => {
        if (this.foreign) this.log.info('the provider’s key is of our own account again')
        this.foreign = undefined
        isOurs.set(1)
      },
      (error: unknown) => {
        isOurs.set(0)
        const forget = () => {
          this.check = undefined
        }
        // Without an answer, the next call asks again at once: until the key is known to be ours, every payment is refused.
        if (error instanceof ForeignKey) setTimeout(forget, ASK_AGAIN_AFTER_MS).unref()
        else forget()
        throw error
      },
    )
    return this.check
  }

  private async ask(): Promise<void> {
    const { STRIPE_ACCOUNT: named, STRIPE_SECRET_KEY: key } = this.config
    const { id } = await this.unguarded.accounts.retrieve(null)
    const isNamed = id === named
    const mode = isLiveKey(key) ? 'live' : 'test'
    const [row]: { account_id: string }[] = await this.dataSource.query(REMEMBER, [mode, id, isNamed])
    const ours = named ?? row!.account_id
    if (ours === id) return
    const foreign = new ForeignKey(`STRIPE_SECRET_KEY is of the account ${id}, and ours is ${ours}`)
    if (!this.foreign)
      this.log.error(
        { err: foreign },
        'the provider’s key is of another account: this process is not ready, and nothing is asked or sent with it',
      )
    this.foreign = foreign
    throw foreign
  }
}

// The account that an operator names in the configuration replaces the one that is remembered.
const REMEMBER = `INSERT INTO platform_account AS known (mode, account_id, since) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (mode) DO UPDATE SET account_id = CASE WHEN $3 THEN excluded.account_id ELSE known.account_id END,
    since = CASE WHEN $3 AND known.account_id <> excluded.account_id THEN excluded.since ELSE known.since END
  RETURNING account_id`
