import { invalidFields } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { CredentialsService } from '../credentials/credentials.service.js'
import { PasskeyUse } from '../passkeys/passkey-use.js'
import { User } from '../users/user.entity.js'
import { CodeLimits } from './code-limits.js'
import { Confirmations } from './confirmations.js'
import { FactorCodes } from './factor-codes.js'
import type { SecondFactorProof } from './second-step.service.js'

/** What a signed-in user shows again: one of the three. */
type Proof = SecondFactorProof & { readonly password?: string | undefined }

const NOT_ENOUGH = 'You have a second factor: use a passkey or a code'

/** Lets a signed-in user show again who they are. */
@Injectable()
export class IdentityConfirmationService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly credentials: CredentialsService,
    private readonly limits: CodeLimits,
    private readonly codes: FactorCodes,
    private readonly passkeys: PasskeyUse,
    private readonly confirmations: Confirmations,
  ) {}

  /**
   * @throws DomainError `VALIDATION_FAILED` for a wrong password or code, and for the password of who has a second factor; `PASSKEY_REFUSED`,
   * `RATE_LIMITED`, `UNAVAILABLE`
   */
  async confirm(actor: UserActor, { password, code, passkey }: Proof, browser: Browser): Promise<void> {
    if (password !== undefined) {
      const methods = await this.confirmations.methodsOf(actor.id, this.dataSource.manager)
      if (!methods.includes('password')) throw invalidFields({ password: NOT_ENOUGH })
      const user = await this.dataSource.getRepository(User).findOneByOrFail({ id: actor.id })
      await this.credentials.require(user, 'password', { password, browser })
      await this.confirmations.keep(this.dataSource.manager, actor, 'password')
    } else if (code !== undefined) {
      await this.limits.run({ userId: actor.id, code, browser }, () =>
        this.#keepWith(actor, dbTx => this.codes.use(dbTx, actor.id, code)),
      )
    } else {
      const challenge = { purpose: 'confirm', boundTo: actor.sessionId ?? '' } as const
      const used = await this.passkeys.verify(passkey!, challenge, actor.id)
      await this.#keepWith(actor, dbTx => this.passkeys.recordUse(dbTx, used))
    }
  }

  #keepWith(actor: UserActor, prove: (dbTx: EntityManager) => Promise<void>): Promise<void> {
    return this.dataSource.transaction(async dbTx => {
      await prove(dbTx)
      await this.confirmations.keep(dbTx, actor, 'second_factor')
    })
  }
}
