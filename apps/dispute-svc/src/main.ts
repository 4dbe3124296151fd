import { EventsServer } from '@holdfast/events/server'
import { bootService } from '@holdfast/service-kit/boot'
import { appModule } from './app.module.js'
import { config } from './config.js'

await bootService({
  name: 'dispute-svc',
  module: appModule(config),
  config,
  strategies: app => [app.get(EventsServer)],
})
