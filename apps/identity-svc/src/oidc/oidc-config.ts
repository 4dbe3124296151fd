import { SIGN_IN_PROVIDERS } from '@holdfast/kernel/sign-in-providers'
import { z } from 'zod'
import { isAppleKey } from './apple.js'

const common = { issuer: z.url({ protocol: /^https?$/ }), clientId: z.string().min(1) }
const Provider = z.discriminatedUnion('id', [
  z.strictObject({
    ...common,
    id: z.literal('apple'),
    teamId: z.string().min(1),
    keyId: z.string().min(1),
    privateKey: z.string().refine(isAppleKey, 'must be a private key (PKCS #8, P-256) in PEM'),
  }),
  z.strictObject({ ...common, id: z.enum(SIGN_IN_PROVIDERS).exclude(['apple']), clientSecret: z.string().min(1) }),
])
const Providers = z.array(Provider)
export type ProviderConfig = z.output<typeof Providers>[number]

export const oidcShape = {
  /**
   * The sign-in providers that are configured: `[{"id":"google","issuer":"https://…","clientId":"…","clientSecret":"…"}]`. Apple has
   * `teamId`, `keyId` and `privateKey` in place of the secret.
   */
  OIDC_PROVIDERS: z
    .string()
    .default('[]')
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        ctx.addIssue('must be JSON')
        return z.NEVER
      }
    })
    .pipe(Providers),
}

/** Why the providers are refused; undefined when they are not. */
export function oidcRefusals(config: {
  readonly NODE_ENV: string
  readonly OIDC_PROVIDERS: readonly ProviderConfig[]
}): { readonly OIDC_PROVIDERS: string | undefined } {
  const { NODE_ENV, OIDC_PROVIDERS: providers } = config
  const isTwice = new Set(providers.map(({ id }) => id)).size < providers.length
  const isPlain = NODE_ENV === 'production' && providers.some(({ issuer }) => !issuer.startsWith('https:'))
  return {
    OIDC_PROVIDERS: isTwice ? 'must name each provider once' : isPlain ? 'must be https in production' : undefined,
  }
}
