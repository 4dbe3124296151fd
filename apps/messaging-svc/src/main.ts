import { EventsServer } from '@holdfast/events/server'
import { bootService } from '@holdfast/service-kit/boot'
import { AppModule } from './app.module.js'
import { config } from './config.js'

await bootService({
  name: 'messaging-svc',
  module: AppModule,
  config,
  strategies: app => [app.get(EventsServer)],
})
