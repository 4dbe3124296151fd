import { SERVICES, type ServiceName, type UrlVariable, urlVariableOf } from '@holdfast/contracts/topology'
import {
  baseShape,
  databaseShape,
  dayShape,
  loadConfig,
  paymentMethodsShape,
  type Refusals,
} from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'

const origin = () =>
  z.url({ protocol: /^https?$/, error: 'Must be an http origin' }).transform(url => new URL(url).origin)

/** The services behind the gateway. */
export type UpstreamName = Exclude<ServiceName, 'gateway'>
export const UPSTREAMS = SERVICES.filter((name): name is UpstreamName => name !== 'gateway')

/** The address of each service: `ESCROW_URL` and so on. */
const upstreamShape = Object.fromEntries(UPSTREAMS.map(name => [urlVariableOf(name), origin()])) as Record<
  UrlVariable<UpstreamName>,
  ReturnType<typeof origin>
>

/** The environment of the gateway. */
export const gatewayShape = {
  ...baseShape,
  ...dayShape,
  ...paymentMethodsShape,
  PUBLIC_URL: origin(),
  ...upstreamShape,
  /** The database of the embedded event log. */
  ...databaseShape,
  /** Networks whose X-Forwarded-For is trusted, separated by commas; none when left out. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(list =>
      list
        .split(',')
        .map(entry => entry.trim())
        .filter(entry => entry !== ''),
    ),
  /** The folder of the built web app; without it the gateway serves the API alone. */
  WEB_DIST: z.string().optional(),
  /** The public origin of the payment provider's sandbox; empty when the provider is Stripe itself. */
  STRIPE_PUBLIC_URL: origin().optional(),
}

export type GatewayConfig = ReturnType<typeof loadGatewayConfig>

/** What production does not allow: the variables with what is wrong with them. */
export const gatewayRefusals: Refusals<typeof gatewayShape> = ({
  NODE_ENV,
  PUBLIC_URL,
  STRIPE_PUBLIC_URL,
  TRUSTED_PROXIES,
}) =>
  NODE_ENV === 'production'
    ? {
        PUBLIC_URL: PUBLIC_URL.startsWith('https:')
          ? undefined
          : 'must be https in production: over http anyone on the way can read the sessions',
        STRIPE_PUBLIC_URL:
          STRIPE_PUBLIC_URL === undefined ? undefined : 'must be empty in production: a sandbox moves no money',
        // The gateway itself speaks http, so a proxy in front of it ends https.
        TRUSTED_PROXIES:
          TRUSTED_PROXIES.length > 0
            ? undefined
            : 'must name the networks of the proxy that ends https, or all visitors share its address and its limits',
      }
    : {}

/** Reads the environment; a bad one ends the process with a message that names each variable. */
export const loadGatewayConfig = (env?: NodeJS.ProcessEnv) => loadConfig(gatewayShape, env, gatewayRefusals)
