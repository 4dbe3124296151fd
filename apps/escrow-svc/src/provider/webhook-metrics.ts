import { DomainError } from '@holdfast/kernel/errors'
import { counter } from '@holdfast/service-kit/telemetry/metrics'

const SENDERS = ['stripe', 'coinify', 'carrier'] as const
type Sender = (typeof SENDERS)[number]

/**
 * `signature_invalid`: it has a signature that none of our secrets has made. `unsigned`: it has none, as what scanners of the internet
 * send. `unreadable`: it is signed and not as we know it. `failed`: we could not handle it, so it is sent again.
 */
const OUTCOMES = ['handled', 'signature_invalid', 'unsigned', 'unreadable', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]

const webhooks = counter('escrow_webhooks_total', 'Webhooks that were received, by sender and outcome', [
  'sender',
  'outcome',
])
// A rate needs two values, so the first refusal would not be seen if its series began with it.
for (const sender of SENDERS) for (const outcome of OUTCOMES) webhooks.inc({ sender, outcome }, 0)

/** Handles a webhook, and counts what became of it. Throws as `handle` does. */
export async function countedWebhook(
  sender: Sender,
  signature: string | undefined,
  handle: () => Promise<unknown>,
): Promise<{ received: true }> {
  try {
    await handle()
  } catch (error) {
    webhooks.inc({ sender, outcome: outcomeOf(error, signature) })
    throw error
  }
  webhooks.inc({ sender, outcome: 'handled' })
  return { received: true }
}

function outcomeOf(error: unknown, signature: string | undefined): Outcome {
  if (!(error instanceof DomainError)) return 'failed'
  if (error.code === 'WEBHOOK_SIGNATURE_INVALID') return signature ? 'signature_invalid' : 'unsigned'
  return error.code === 'MALFORMED_REQUEST' ? 'unreadable' : 'failed'
}
