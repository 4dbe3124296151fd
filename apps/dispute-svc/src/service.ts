import { EventsServer } from '@holdfast/events/consumer/events-server'
import { installUploadGate } from '@holdfast/pictures/upload-gate'
import type { ServiceOptions } from '@holdfast/service-kit/lifecycle/service'
import { showKeyAge } from '@holdfast/service-kit/telemetry/key-age'
import { AppModule } from './app.module.js'
import type { DisputeConfig } from './config.js'

/** The service as `bootService` and the tests run it. */
export const disputeService = (config: DisputeConfig): ServiceOptions => ({
  name: 'dispute-svc',
  module: AppModule,
  config,
  configure: (_app, fastify) => {
    showKeyAge('ENCRYPTION_KEYS', config.ENCRYPTION_KEYS.current)
    installUploadGate(fastify)
  },
  strategies: app => [app.get(EventsServer)],
})
