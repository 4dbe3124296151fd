import { bootService } from '@holdfast/service-kit/boot'
import { loadMessagingConfig } from './config.js'
import { messagingService } from './messaging-svc.js'

await bootService(messagingService(loadMessagingConfig()))
