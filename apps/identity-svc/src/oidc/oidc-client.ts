import { pages } from '@holdfast/contracts/pages'
import { DomainError } from '@holdfast/kernel/errors'
import type { SignInProvider } from '@holdfast/kernel/sign-in-providers'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import * as oidc from 'openid-client'
import type { IdentityConfig } from '../config.js'
import { appleClientAuth, nameInAnswer } from './apple.js'
import { type ProviderPerson, personOf } from './domain/provider-person.js'
import type { ProviderConfig } from './oidc-config.js'
import type { SignInChecks } from './provider-sign-ins.js'

/** Apple has no scope `profile`. */
const scopeOf = (id: SignInProvider): string => (id === 'apple' ? 'openid email name' : 'openid email profile')
/** How the provider leads back. With these scopes, Apple insists on a form, which the gateway turns into a query. */
const responseModeOf = (id: SignInProvider) => (id === 'apple' ? { response_mode: 'form_post' } : {})
const TIMEOUT_SECONDS = 5
/** The clocks of the provider and of this machine may differ by this much. */
const CLOCK_SKEW_SECONDS = 30
const log = loggerOf('oidc')

/** The conversation with the providers (OpenID Connect Core 1.0, authorization code flow with PKCE). */
@Injectable()
export class OidcClient {
  readonly #providers: ReadonlyMap<SignInProvider, ProviderConfig>
  readonly #found = new Map<SignInProvider, Promise<oidc.Configuration>>()
  readonly #returnUrl: string

  constructor(@Inject(CONFIG) { OIDC_PROVIDERS, PUBLIC_URL }: IdentityConfig) {
    this.#providers = new Map(OIDC_PROVIDERS.map(provider => [provider.id, provider]))
    this.#returnUrl = new URL(pages.providerSignIn.path, PUBLIC_URL).href
  }

  /** @throws DomainError `NOT_FOUND` for a provider that is not configured */
  mustKnow(id: SignInProvider): void {
    this.#configOf(id)
  }

  /**
   * The address of the provider's page where the person signs in.
   *
   * @throws DomainError `NOT_FOUND`, `SIGN_IN_PROVIDER_UNAVAILABLE`
   */
  async addressOf(id: SignInProvider, { state, nonce, codeVerifier }: SignInChecks): Promise<string> {
    const url = oidc.buildAuthorizationUrl(await this.#find(id), {
      redirect_uri: this.#returnUrl,
      scope: scopeOf(id),
      ...responseModeOf(id),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  /**
   * Exchanges the provider's answer for who has signed in there.
   *
   * @param answer the query of the address to which the provider led back
   * @throws DomainError `SIGN_IN_NOT_COMPLETED` when the provider or the checks refuse it; `SIGN_IN_PROVIDER_UNAVAILABLE`, `NOT_FOUND`
   */
  async redeem(id: SignInProvider, answer: string, checks: SignInChecks): Promise<ProviderPerson> {
    const configuration = await this.#find(id)
    const url = new URL(this.#returnUrl)
    url.search = answer
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: checks.codeVerifier,
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      // Many providers give the address only by this call.
      const isComplete = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint
      const more = isComplete ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return personOf(id, { ...(id === 'apple' && nameInAnswer(answer)), ...more, ...claims })
    } catch (error) {
      throw refusalOf(error, id)
    }
  }

  #configOf(id: SignInProvider): ProviderConfig {
    const provider = this.#providers.get(id)
    if (!provider) throw new DomainError('NOT_FOUND')
    return provider
  }

  /** The provider's own description. It is kept from the first sign-in on; a failure is not kept. */
  async #find(id: SignInProvider): Promise<oidc.Configuration> {
    const provider = this.#configOf(id)
    const known = this.#found.get(id)
    if (known) return known
    const { issuer, clientId } = provider
    const finding = oidc
      .discovery(
        new URL(issuer),
        clientId,
        { [oidc.clockTolerance]: CLOCK_SKEW_SECONDS },
        provider.id === 'apple' ? appleClientAuth(provider) : oidc.ClientSecretPost(provider.clientSecret),
        // The configuration of production allows https alone.
        { timeout: TIMEOUT_SECONDS, execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [] },
      )
      .catch((error: unknown) => {
        this.#found.delete(id)
        log.warn({ err: error, provider: id }, 'a sign-in provider could not be reached')
        throw new DomainError('SIGN_IN_PROVIDER_UNAVAILABLE')
      })
    this.#found.set(id, finding)
    return finding
  }
}

function refusalOf(error: unknown, provider: SignInProvider): DomainError {
  log.warn({ err: error, provider }, 'a sign-in at a provider was not completed')
  return new DomainError(isAway(error) ? 'SIGN_IN_PROVIDER_UNAVAILABLE' : 'SIGN_IN_NOT_COMPLETED')
}

/** Codes of the library for a provider that gave no answer in time. */
const NO_ANSWER: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT'])

/** Whether the provider gave no answer, or one of a broken server. The library wraps what it got as the cause. */
function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, status, message, cause } = error as Readonly<Record<string, unknown>>
  return NO_ANSWER.has(code) || Number(status) >= 500 || message === 'fetch failed' || isAway(cause)
}
