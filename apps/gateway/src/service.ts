import proxyAddresses from '@fastify/proxy-addr'
import { sessionCookieName } from '@holdfast/contracts/session-cookie'
import type { Identify } from '@holdfast/service-kit/auth/admission'
import type { ServiceOptions } from '@holdfast/service-kit/lifecycle/service'
import type { DynamicModule, Type } from '@nestjs/common'
import { AppModule } from './app.module.js'
import type { GatewayConfig } from './config.js'
import { registerDocs } from './docs/docs-routes.js'
import { registerForwardedRoutes } from './forwarding/forwarded-routes.js'
import { limitAnonymousBodies } from './ingress/anonymous-bodies.js'
import { limitConnections } from './ingress/connections.js'
import { Ingress } from './ingress/ingress.js'
import { limitLargeBodies } from './ingress/large-bodies.js'
import { identifyWith } from './ingress/session.strategy.js'
import { UnreadConnections } from './ingress/unread-connections.js'
import { EventLogModule } from './live/event-log.module.js'
import { LiveEvents } from './live/live-events.js'
import { registerLiveEvents } from './live/live-route.js'
import { ServiceCalls } from './services/service-calls.js'
import { Upstreams } from './services/upstreams.js'
import { Sessions } from './sessions/sessions.js'
import { compressAnswers } from './web/compressed-answers.js'
import { securityHeaders } from './web/security-headers.js'
import { serveWebApp } from './web/web-app.js'

/**
 * The gateway as `bootService` and the tests run it.
 *
 * @param eventLog the global module that provides `EVENT_TRANSPORT`
 */
export function gatewayService(config: GatewayConfig, eventLog: Type | DynamicModule = EventLogModule): ServiceOptions {
  // `Ingress` is a provider of the module, so it exists only once the module does. Nothing listens before that.
  let identify: Identify | undefined
  return {
    name: 'gateway',
    module: { module: AppModule, imports: [eventLog] },
    config,
    requestLogLevel: 'info',
    trustedProxies: config.TRUSTED_PROXIES,
    answerHeaders: securityHeaders({ publicUrl: config.PUBLIC_URL, stripePublicUrl: config.STRIPE_PUBLIC_URL }),
    identify: (request, route) => identify!(request, route),
    configure: async (app, fastify) => {
      const ingress = app.get(Ingress)
      identify = identifyWith(ingress)
      const isProxy = proxyAddresses.compile([...config.TRUSTED_PROXIES])
      limitConnections(fastify.server, address => isProxy(address, 0))
      await compressAnswers(fastify)
      app.get(UnreadConnections).watch(fastify.server)
      limitAnonymousBodies(fastify)
      limitLargeBodies(fastify)
      const [upstreams, sessions, calls] = [app.get(Upstreams), app.get(Sessions), app.get(ServiceCalls)]
      registerForwardedRoutes(fastify, { upstreams, sessions, calls })
      registerLiveEvents(fastify, app.get(LiveEvents))
      registerDocs(fastify, config.PUBLIC_URL, sessionCookieName(config.PUBLIC_URL))
      if (config.WEB_DIST !== undefined)
        await serveWebApp(fastify, config.WEB_DIST, {
          publicUrl: config.PUBLIC_URL,
          paymentMethods: config.PAYMENT_METHODS,
          calls,
          ingress,
          sessions,
        })
    },
  }
}
