import type { AnswerHeaders } from '@holdfast/service-kit/http/http-hooks'
import type { FastifyRequest } from 'fastify'

const STRIPE_SCRIPT_ORIGIN = 'https://js.stripe.com'
const STRIPE_API_ORIGIN = 'https://api.stripe.com'
const STRIPE_FRAME_ORIGINS = [STRIPE_SCRIPT_ORIGIN, 'https://hooks.stripe.com']
const HSTS_SECONDS = 31_536_000

export interface SecurityOptions {
  readonly publicUrl: string
  /** The sandbox's origin in place of Stripe's own. */
  readonly stripePublicUrl: string | undefined
}

type Headers = Readonly<Record<string, string>>

/**
 * What a page of ours may load and talk to: itself, and the payment provider, whose card fields live in its own frame.
 * Styles may stand inline, since the component library writes some; scripts may not.
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
    // An answer of the API is data: opened as a page, it may do nothing. It is for the one who asked, and asked for again
    // each time, unless its service says otherwise.
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
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=(self)',
    },
  }
}

/** The security headers of every answer. */
export function securityHeaders(options: SecurityOptions): AnswerHeaders {
  const { pages, api } = headersFor(options)
  return request => (isApi(request) ? api : pages)
}

/** By its route, too: `/%61pi/…` reaches the same one. */
const isApi = ({ url, routeOptions }: FastifyRequest): boolean =>
  url.startsWith('/api/') || (routeOptions.url?.startsWith('/api/') ?? false)
