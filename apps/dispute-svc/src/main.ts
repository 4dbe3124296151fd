import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadDisputeConfig } from './config.js'
import { disputeService } from './dispute-svc.js'

await bootService(disputeService(loadDisputeConfig()))
