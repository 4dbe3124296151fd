import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadMessagingConfig } from './config.js'
import { messagingService } from './service.js'

await bootService(messagingService(loadMessagingConfig()))
