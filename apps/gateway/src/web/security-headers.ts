import { pages as PAGES } from '@holdfast/contracts/pages'
import type { AnswerHeaders } from '@holdfast/service-kit/http/http-hooks'
import type { FastifyRequest } from 'fastify'

const STRIPE_SCRIPT_ORIGIN = 'https://js.stripe.com'
const STRIPE_API_ORIGIN = 'https://api.stripe.com'
const STRIPE_FRAME_ORIGINS = [STRIPE_SCRIPT_ORIGIN, 'https://hooks.stripe.com']
const HSTS_SECONDS = 31_536_000

interface SecurityOptions {
  readonly publicUrl: string
  /** The sandbox's origin, which replaces Stripe's. */
  readonly stripePublicUrl: string | undefined
}

type Headers = Readonly<Record<string, string>>

/**
 * The content security policy of a page. It may load from and connect to our own origin and the payment provider's, whose
 * card fields are in a frame. Inline styles are allowed, because the component library writes some; inline scripts are not.
 */
export function pagePolicy(stripePublicUrl: string | undefined): string {
  const provider = stripePublicUrl
    ? { script: '', connect: stripePublicUrl, frame: stripePublicUrl }
    : { script: STRIPE_SCRIPT_ORIGIN, connect: STRIPE_API_ORIGIN, frame: STRIPE_FRAME_ORIGINS.join(' ') }
  return [
    "default-src 'self'",
    `script-src 'self' ${provider.script}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${provider.connect}`,
    `frame-src ${provider.frame}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
    .map(directive => directive.trim())
    .join('; ')
}

function headersFor(options: SecurityOptions): { readonly pages: Headers; readonly api: Headers } {
  const everywhere: Headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(options.publicUrl.startsWith('https:')
      ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
      : {}),
  }
  return {
    // An answer of the API is data: a browser that opens it as a page may load nothing. Only the user's own browser may keep
    // it, and must revalidate it, unless the service sets other headers.
    api: {
      ...everywhere,
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    pages: {
      ...everywhere,
      'content-security-policy': pagePolicy(options.stripePublicUrl),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': permissionsPolicy(),
    },
  }
}

/** Only the page that takes pictures of documents may use the camera. */
const permissionsPolicy = (camera = '()') => `camera=${camera}, microphone=(), geolocation=(), usb=(), payment=(self)`

/** The security headers of every answer. */
export function securityHeaders(options: SecurityOptions): AnswerHeaders {
  const { pages, api } = headersFor(options)
  const verification = { ...pages, 'permissions-policy': permissionsPolicy('(self)') }
  return request => (isApi(request) ? api : isVerification(request) ? verification : pages)
}

/** The route is checked as well as the address, since `/%61pi/…` reaches the same route. */
const isApi = ({ url, routeOptions }: FastifyRequest): boolean =>
  url.startsWith('/api/') || (routeOptions.url?.startsWith('/api/') ?? false)

const isVerification = ({ url }: FastifyRequest): boolean => url.split('?', 1)[0] === PAGES.verification.path
