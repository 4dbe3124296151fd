import type { Identify } from '@holdfast/service-kit/admission'
import type { ServiceOptions } from '@holdfast/service-kit/service'
import { appModule } from './app.module.js'
import type { GatewayConfig } from './config.js'
import { registerForwardedRoutes } from './forwarding/forwarded-routes.js'
import { Upstreams } from './forwarding/upstreams.js'
import { Door } from './sessions/door.js'
import { identifyWith } from './sessions/session.strategy.js'
import { Sessions } from './sessions/sessions.js'
import { installSecurityHeaders } from './web/security-headers.js'
import { serveWebApp } from './web/web-app.js'

/** The gateway as the kit starts it: the process itself, and the tests. */
export function gateway(config: GatewayConfig): ServiceOptions {
  // The door is one of the module's providers, so it exists only once the module does; nothing listens before that.
  let identify: Identify | undefined
  return {
    name: 'gateway',
    module: appModule(config),
    config,
    requestLogLevel: 'info',
    trustedProxies: config.TRUSTED_PROXIES,
    identify: (request, route) => identify!(request, route),
    configure: async (app, fastify) => {
      const door = app.get(Door)
      identify = identifyWith(door)
      installSecurityHeaders(fastify, { publicUrl: config.PUBLIC_URL, stripePublicUrl: config.STRIPE_PUBLIC_URL })
      registerForwardedRoutes(fastify, { upstreams: app.get(Upstreams), sessions: app.get(Sessions), door })
      if (config.WEB_DIST !== undefined) await serveWebApp(fastify, config.WEB_DIST)
    },
  }
}
