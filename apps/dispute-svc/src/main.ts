import { bootService } from '@holdfast/service-kit/boot'
import { loadDisputeConfig } from './config.js'
import { disputeService } from './dispute-svc.js'

await bootService(disputeService(loadDisputeConfig()))
