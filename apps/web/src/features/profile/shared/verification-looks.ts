import type { VerificationStatus } from '@holdfast/kernel/users'
import type { BadgeDot } from '../../../components/badge.js'

/** How the status of a person's identity verification is shown, to the person and in the console. */
export const VERIFICATION_LOOKS: Readonly<Record<VerificationStatus, { label: string; dot: BadgeDot }>> = {
  pending: { label: 'Not Started', dot: 'grey' },
  submitted: { label: 'Under Review', dot: 'yellow' },
  approved: { label: 'Verified', dot: 'green' },
  rejected: { label: 'Rejected', dot: 'red' },
}
