import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadIdentityConfig } from './config.js'
import { identityService } from './identity-svc.js'

await bootService(identityService(loadIdentityConfig()))
