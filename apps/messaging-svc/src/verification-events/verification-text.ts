import type { PayloadOf, userVerificationDecided } from '@holdfast/contracts/events'

/** The notification about a decision on a user's identity documents. */
export function verificationText({
  decision,
  reason,
}: Pick<PayloadOf<typeof userVerificationDecided>, 'decision' | 'reason'>) {
  return decision === 'approved'
    ? { title: 'Identity verified', message: 'Your identity is verified. What you earn can be paid out.' }
    : {
        title: 'Verification rejected',
        message: ['Your identity is not verified.', reason, 'You can send new documents.'].filter(Boolean).join(' '),
      }
}
