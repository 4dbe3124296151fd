import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadGatewayConfig } from './config.js'
import { gateway } from './gateway.js'

await bootService(gateway(loadGatewayConfig()))
