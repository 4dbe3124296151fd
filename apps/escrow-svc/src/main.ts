import { EventsServer } from '@holdfast/events/server'
import { bootService } from '@holdfast/service-kit/boot'
import { appModule } from './app.module.js'
import { config, settings } from './config.js'

await bootService({
  name: 'escrow-svc',
  module: appModule(config.DATABASE_URL, settings),
  config,
  strategies: app => [app.get(EventsServer)],
})
