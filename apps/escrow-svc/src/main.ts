import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadEscrowConfig } from './config.js'
import { escrowService } from './service.js'

await bootService(escrowService(loadEscrowConfig()))
