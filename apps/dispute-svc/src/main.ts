import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadDisputeConfig } from './config.js'
import { disputeService } from './service.js'

await bootService(disputeService(loadDisputeConfig()))
