import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadListingConfig } from './config.js'
import { listingService } from './service.js'

await bootService(listingService(loadListingConfig()))
