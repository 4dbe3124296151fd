/** What the product keeps about a user, as their export has it. `docs/personal-data.md` describes each part. */
import { z } from 'zod'
import { route } from './route.js'

/** The parts of an export by the service that keeps them, in the order of the file. */
export const PERSONAL_DATA_PARTS = {
  'identity-svc': [
    'account',
    'sessions',
    'knownBrowsers',
    'providerSignIns',
    'secondFactors',
    'contacts',
    'blockedPeople',
    'identityVerifications',
    'enquiries',
    'mails',
    'actsOfAdmins',
  ],
  'listing-svc': ['listings', 'signatures', 'invitationsSent', 'invitationsAccepted'],
  'escrow-svc': [
    'deals',
    'acceptances',
    'payments',
    'payoutAccount',
    'payouts',
    'balanceEntries',
    'reviewsWritten',
    'reviewsReceived',
  ],
  'dispute-svc': ['disputes', 'evidence'],
  'messaging-svc': ['messages', 'notifications', 'notificationSettings'],
} as const
export type PersonalDataService = keyof typeof PERSONAL_DATA_PARTS
export type PersonalDataPart<S extends PersonalDataService = PersonalDataService> =
  (typeof PERSONAL_DATA_PARTS)[S][number]

/** The most items of one page. */
export const MAX_PERSONAL_DATA_PAGE = 200

/** One part of what a service keeps about the actor, a page at a time. Every service of `PERSONAL_DATA_PARTS` answers it. */
export const personalDataInternalRoutes = {
  readPersonalData: route({
    method: 'GET',
    path: '/internal/personal-data',
    access: { internal: ['gateway'] },
    summary: 'A page of one part of what this service keeps about the actor',
    query: z.object({
      part: z.string().max(40),
      /** `next` of the page before. */
      after: z.string().max(100).optional(),
    }),
    response: z.object({
      items: z.array(z.record(z.string(), z.unknown())).max(MAX_PERSONAL_DATA_PAGE),
      /** Where the next page begins; null after the last one. */
      next: z.string().nullable(),
    }),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
} as const
