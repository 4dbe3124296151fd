import type { IdentityConfig } from '../config.js'
import { OidcClient } from './oidc-client.js'

test('a provider that is not configured is not found', () => {
  const client = new OidcClient({
    OIDC_PROVIDERS: [],
    PUBLIC_URL: 'https://holdfast.example',
  } as unknown as IdentityConfig)
  expect(() => client.mustKnow('apple')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
})
