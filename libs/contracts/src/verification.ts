/** Identity verification: what users send, and how operators review it. Served by identity-svc. */
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { VERIFICATION_PICTURES, type VerificationPicture } from '@holdfast/kernel/users'
import { z } from 'zod'
import { UuidPageQuery, WithReason } from './admin-fields.js'
import { ImageDataUrl, Timestamp, UserIdParams, Uuid } from './fields.js'
import { route } from './route.js'
import { CurrentUser } from './users.js'

const perPicture = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(VERIFICATION_PICTURES.map(name => [name, schema])) as Record<VerificationPicture, S>

/** A submission that waits for a decision. */
export const VerificationCase = z.object({
  submissionId: Uuid,
  userId: Uuid,
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  email: z.string(),
  submittedAt: Timestamp,
})
export type VerificationCase = z.infer<typeof VerificationCase>

export const verificationRoutes = {
  submitVerification: route({
    method: 'POST',
    path: '/api/verification/submit',
    access: 'user',
    summary: 'Send the documents that prove one’s identity; not while earlier ones are reviewed, and not once verified',
    bodyLimit: MAX_IMAGE_REQUEST_BYTES,
    body: z.object(perPicture(ImageDataUrl)),
    response: CurrentUser,
    errors: ['CONFLICT', 'IMAGE_INVALID', 'IMAGE_TOO_LARGE', 'RATE_LIMITED'],
  }),
} as const

export const verificationAdminRoutes = {
  listVerifications: route({
    method: 'GET',
    path: '/api/admin/verifications',
    access: 'admin',
    summary: 'The submissions that wait for a decision, oldest first; `after` is the last id of the previous page',
    query: UuidPageQuery.omit({ before: true }).extend({ after: Uuid.optional() }),
    response: z.array(VerificationCase),
  }),
  /** It is a POST because each look is kept: no browser fetches it ahead or twice. */
  lookAtVerification: route({
    method: 'POST',
    path: '/api/admin/verifications/{userId}/look',
    access: 'admin',
    record: { kind: 'verification' },
    summary:
      'The documents of the submission that waits, as data URLs. Who looked, at whose and why is kept in the audit',
    params: UserIdParams,
    body: WithReason,
    response: VerificationCase.extend({ pictures: z.object(perPicture(z.string())) }),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
} as const
