import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadIdentityConfig } from './config.js'
import { identityService } from './service.js'

await bootService(identityService(loadIdentityConfig()))
