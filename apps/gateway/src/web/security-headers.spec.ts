import type { FastifyRequest } from 'fastify'
import { pagePolicy, securityHeaders } from './security-headers.js'

describe('the content security policy of a page', () => {
  it('allows our own origin, and Stripe when it is the provider', () => {
    const policy = pagePolicy(undefined)
    expect(policy).toContain("script-src 'self' https://js.stripe.com;")
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;")
    expect(policy).toContain('frame-src https://js.stripe.com https://hooks.stripe.com;')
  })

  it('allows the sandbox when it is the provider, and never an inline script', () => {
    const policy = pagePolicy('http://localhost:3001')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self' http://localhost:3001;")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })
})

it.each(['/', '/api/auth/user'])(
  '%s over https tells browsers to use nothing but https, and over http it does not',
  url => {
    const headersOf = (publicUrl: string) =>
      securityHeaders({ publicUrl, stripePublicUrl: undefined })({ url, routeOptions: { url } } as FastifyRequest)
    expect(headersOf('https://holdfast.example')['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
    expect(headersOf('http://localhost:3000')).not.toHaveProperty('strict-transport-security')
  },
)

describe('the camera', () => {
  const headersOf = (url: string) =>
    securityHeaders({ publicUrl: 'http://localhost:3000', stripePublicUrl: undefined })({
      url,
      routeOptions: { url: '/*' },
    } as FastifyRequest)

  it('is allowed on the page that takes pictures of documents, and on no other', () => {
    for (const url of ['/verification', '/verification?from=profile'])
      expect(headersOf(url)['permissions-policy']).toContain('camera=(self), microphone=()')
    for (const url of ['/', '/profile', '/verification/x', '/verifications'])
      expect(headersOf(url)['permissions-policy']).toContain('camera=(), microphone=()')
    expect(headersOf('/api/auth/user')).not.toHaveProperty('permissions-policy')
  })
})
