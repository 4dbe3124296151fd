/**
 * The secrets with which a sender of webhooks signs. A setting has several of them, separated by commas, while one is replaced by
 * another (docs/runbooks/webhook-secrets.md).
 */
import { timingSafeEqual } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { z } from 'zod'

/** A forged webhook is checked with each of them. */
const MAX_SECRETS = 4

const log = loggerOf('webhooks')
const accepted = counter(
  'webhook_signatures_total',
  'Accepted webhooks, by the setting whose secret has signed them and its position there, from 1',
  ['setting', 'position'],
)

/** A setting with secrets. @param one the form of a single secret. A secret must not contain a comma */
export const webhookSecrets = (one: z.ZodString) =>
  z
    .string()
    .transform(text => text.split(',').map(secret => secret.trim()))
    .pipe(z.array(one).max(MAX_SECRETS, `Must be at most ${MAX_SECRETS} secrets`))

/**
 * Reads a webhook with the first of the secrets that has signed it.
 *
 * @param settings the settings with the sender's secrets, by their names
 * @param read throws for a secret that has not signed it
 * @throws DomainError `WEBHOOK_SIGNATURE_INVALID` when none of them has
 */
export function readSigned<T>(
  settings: Readonly<Record<string, readonly string[] | undefined>>,
  read: (secret: string) => T,
): T {
  let refusal: unknown
  for (const [setting, secrets] of Object.entries(settings))
    for (const [index, secret] of (secrets ?? []).entries())
      try {
        const webhook = read(secret)
        accepted.inc({ setting, position: String(index + 1) })
        return webhook
      } catch (error) {
        refusal = error
      }
  log.warn(
    { err: refusal, settings: Object.keys(settings) },
    'a webhook was refused: none of our secrets has signed it',
  )
  throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
}

/** Compares a signature with the expected one, in a time that tells nothing. @throws Error when it is another */
export function assertSameSignature(given: Buffer, expected: Buffer): void {
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('the signature is another')
}
