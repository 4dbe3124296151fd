import { EventsServer } from '@holdfast/events/server'
import { bootService } from '@holdfast/service-kit/boot'
import { appModule } from './app.module.js'
import { loadListingConfig } from './config.js'

const config = loadListingConfig()
await bootService({
  name: 'listing-svc',
  module: appModule(config),
  config,
  strategies: app => [app.get(EventsServer, { strict: false })],
})
