import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadGatewayConfig } from './config.js'
import { gatewayService } from './service.js'

await bootService(gatewayService(loadGatewayConfig()))
