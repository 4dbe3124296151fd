import type { UsedPasskey } from '@holdfast/contracts/second-factor'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { type SignedIn, SignInService } from '../credentials/sign-in.service.js'
import { PasskeyUse } from '../passkeys/passkey-use.js'
import type { User } from '../users/user.entity.js'
import { CodeLimits } from './code-limits.js'
import { FactorCodes } from './factor-codes.js'
import { SignInSteps } from './sign-in-steps.js'

/** What a user shows in the second step: one of the two. */
export interface SecondFactorProof {
  readonly code?: string | undefined
  readonly passkey?: UsedPasskey | undefined
}

/** Finishes sign-ins with their second step. */
@Injectable()
export class SecondStepService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly steps: SignInSteps,
    private readonly signIns: SignInService,
    private readonly limits: CodeLimits,
    private readonly codes: FactorCodes,
    private readonly passkeys: PasskeyUse,
  ) {}

  /**
   * Opens the session of a sign-in whose first step was done in this browser.
   *
   * @throws DomainError `GONE` without such a sign-in; `VALIDATION_FAILED` for a wrong or used code; `PASSKEY_REFUSED`, `RATE_LIMITED`
   */
  async finish({ code, passkey }: SecondFactorProof, browser: Browser): Promise<SignedIn> {
    const userId = await this.steps.ownerOf(browser.stepToken)
    if (code !== undefined)
      return this.limits.run({ userId, code, browser }, () =>
        this.#finishWith(browser, (dbTx, user) => this.codes.use(dbTx, user.id, code)),
      )
    const challenge = { purpose: 'second_step', boundTo: browser.stepToken ?? '' } as const
    const used = await this.passkeys.verify(passkey!, challenge, userId)
    return this.#finishWith(browser, dbTx => this.passkeys.recordUse(dbTx, used))
  }

  #finishWith(browser: Browser, prove: (dbTx: EntityManager, user: User) => Promise<void>): Promise<SignedIn> {
    return this.dataSource.transaction(async dbTx => {
      const user = await this.steps.take(dbTx, browser.stepToken)
      await prove(dbTx, user)
      return this.signIns.open(dbTx, user, browser, true)
    })
  }
}
