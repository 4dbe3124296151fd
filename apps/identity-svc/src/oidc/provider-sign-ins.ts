import { DomainError } from '@holdfast/kernel/errors'
import type { SignInProvider } from '@holdfast/kernel/sign-in-providers'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** How long a person may take at the provider. */
const VALID_SECONDS = 15 * 60

/** What the answer of the provider is checked against. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/**
 * The sign-ins at providers that have begun. A row is bound to the browser that began: its secret is in no address, so a link with
 * another person's code and state signs nobody in.
 */
@Injectable()
export class ProviderSignIns extends PeriodicCleanup {
  constructor(@InjectDataSource() private readonly source: DataSource) {
    super(source, 'sign-ins at providers', deletionOf('provider_sign_in', 'expires_at'))
  }

  /** Begins one. @returns the checks, and the secret for the browser */
  async begin(provider: SignInProvider): Promise<SignInChecks & { readonly secret: string }> {
    const [state, secret, nonce, codeVerifier] = [newToken(), newToken(), newToken(), newToken()]
    await this.source.query(
      `INSERT INTO provider_sign_in (state_hash, secret_hash, provider, nonce, code_verifier, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')`,
      [hashOfToken(state), hashOfToken(secret), provider, nonce, codeVerifier, VALID_SECONDS],
    )
    return { state, secret, nonce, codeVerifier }
  }

  /**
   * Takes one: it can be finished once.
   *
   * @throws DomainError `GONE` for one that is unknown, finished, too old, or was begun in another browser
   */
  async take(state: string, secret: string): Promise<SignInChecks & { readonly provider: SignInProvider }> {
    const [rows]: [(Omit<SignInChecks, 'state'> & { provider: SignInProvider })[], number] = await this.source.query(
      `DELETE FROM provider_sign_in WHERE state_hash = $1 AND secret_hash = $2 AND expires_at > now()
       RETURNING provider, nonce, code_verifier AS "codeVerifier"`,
      [hashOfToken(state), hashOfToken(secret)],
    )
    if (!rows[0]) throw new DomainError('GONE', undefined, 'This sign-in has expired or was used already.')
    return { state, ...rows[0] }
  }
}
