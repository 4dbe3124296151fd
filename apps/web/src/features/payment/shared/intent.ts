/** What other features ask the provider about a payment. */
export { findIntent, type ProviderPayment } from '../provider.js'
