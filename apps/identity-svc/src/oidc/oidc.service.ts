import { DomainError } from '@holdfast/kernel/errors'
import type { SignInProvider } from '@holdfast/kernel/sign-in-providers'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import type { SecondStep, SignedIn } from '../credentials/sign-in.service.js'
import { OidcClient } from './oidc-client.js'
import { ProviderAccountsService } from './provider-accounts.service.js'
import { ProviderSignIns } from './provider-sign-ins.js'

/** Sign-ins at providers that begin from one address. Many people can share an address, as on a campus. */
const STARTS_PER_ADDRESS: AttemptLimit = { attempts: 300, seconds: 60 * 60 }

/** Signs people in with their accounts at providers. */
@Injectable()
export class OidcService {
  readonly #starts: Attempts

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly client: OidcClient,
    private readonly signIns: ProviderSignIns,
    private readonly accounts: ProviderAccountsService,
  ) {
    this.#starts = new Attempts(dataSource, 'provider-sign-in', STARTS_PER_ADDRESS)
  }

  /** Begins a sign-in. @throws DomainError `NOT_FOUND`, `RATE_LIMITED`, `SIGN_IN_PROVIDER_UNAVAILABLE` */
  async start(provider: SignInProvider, clientIp: string | null): Promise<{ url: string; secret: string }> {
    this.client.mustKnow(provider)
    await this.#starts.count(addressKey(clientIp))
    const { secret, ...checks } = await this.signIns.begin(provider)
    return { url: await this.client.addressOf(provider, checks), secret }
  }

  /** Finishes a sign-in. @throws DomainError as `ProviderSignIns.take`, `OidcClient.redeem` and `ProviderAccountsService.signIn` */
  async finish(
    { secret, answer }: { secret: string; answer: string },
    browser: Browser,
  ): Promise<SignedIn | SecondStep> {
    const state = new URLSearchParams(answer).get('state')
    if (state === null) throw new DomainError('SIGN_IN_NOT_COMPLETED')
    const { provider, ...checks } = await this.signIns.take(state, secret)
    return this.accounts.signIn(await this.client.redeem(provider, answer, checks), browser)
  }
}
