import { bootService } from '@holdfast/service-kit/lifecycle/boot'
import { loadListingConfig } from './config.js'
import { listingService } from './listing-svc.js'

await bootService(listingService(loadListingConfig()))
