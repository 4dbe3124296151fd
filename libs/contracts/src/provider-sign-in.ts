/** Signing in with an account of Google, Apple or Microsoft, by OpenID Connect. Served by identity-svc. */
import { SIGN_IN_PROVIDERS } from '@holdfast/kernel/sign-in-providers'
import { z } from 'zod'
import { route } from './route.js'
import { SignedIn } from './users.js'

const MAX_SECRET_LENGTH = 100
/** Providers may use long codes. */
const MAX_ANSWER_LENGTH = 8_000

export const providerSignInRoutes = {
  startProviderSignIn: route({
    method: 'POST',
    path: '/api/auth/oidc/{provider}',
    access: 'public',
    record: { kind: 'signInProvider' },
    summary: 'Begin to sign in at a provider. 404 for a provider that is not configured',
    params: z.object({ provider: z.enum(SIGN_IN_PROVIDERS) }),
    response: z.object({
      /** The provider’s page. It leads back to the page of the web app that finishes the sign-in. */
      url: z.string(),
      /** Only the browser that began can finish: it keeps this secret and sends it again. */
      secret: z.string(),
    }),
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'SIGN_IN_PROVIDER_UNAVAILABLE'],
  }),
  finishProviderSignIn: route({
    method: 'POST',
    path: '/api/auth/oidc',
    access: 'public',
    summary: 'Sign in with what the provider has answered. It opens an account for an e-mail address that has none',
    body: z.object({
      secret: z.string({ error: 'Required' }).min(1, 'Required').max(MAX_SECRET_LENGTH),
      /** The query of the address to which the provider led back. */
      answer: z.string({ error: 'Required' }).min(1, 'Required').max(MAX_ANSWER_LENGTH),
    }),
    response: SignedIn,
    errors: [
      'GONE',
      'ACCOUNT_SUSPENDED',
      'RATE_LIMITED',
      'SECOND_FACTOR_REQUIRED',
      'SIGN_IN_NOT_COMPLETED',
      'SIGN_IN_EMAIL_UNVERIFIED',
      'SIGN_IN_EMAIL_IN_USE',
      'SIGN_IN_PROVIDER_UNAVAILABLE',
    ],
  }),
} as const
