import { EventsServer } from '@holdfast/events/consumer/events-server'
import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { appModule } from './app.module.js'
import { loadEscrowConfig, settingsOf } from './config.js'

const config = loadEscrowConfig()
await bootService({
  name: 'escrow-svc',
  module: appModule(config.DATABASE_URL, settingsOf(config)),
  config,
  strategies: app => [app.get(EventsServer)],
})
