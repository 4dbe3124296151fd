import type { SandboxConfig, WebhookTarget } from '../config.js'
import type { Receiver } from './records.js'

/** Where the events for a receiver go, and what signs them. */
export function targetOf(config: SandboxConfig, receiver: Receiver): WebhookTarget {
  switch (receiver) {
    case 'stripe':
      return config.stripeWebhook
    case 'carrier':
      return config.carrierWebhook
    case 'coinify':
      return config.coinifyWebhook
  }
}
