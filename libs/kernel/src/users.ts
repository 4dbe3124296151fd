/** Limits and vocabulary of accounts. */

export const MIN_PASSWORD_LENGTH = 8
/** argon2id accepts any length. The limit keeps very long passwords from using up processor time. */
export const MAX_PASSWORD_LENGTH = 200
export const MAX_NAME_LENGTH = 60
export const MAX_EMAIL_LENGTH = 254
export const MAX_PHONE_LENGTH = 40
export const PHONE_PATTERN = /^\+?[\d\s()-]{4,}$/
/** User search runs only on longer queries (spec section 5: "longer than 2 characters"). */
export const MIN_SEARCH_LENGTH = 3
export const MAX_SEARCH_LENGTH = 100
export const MAX_SEARCH_RESULTS = 20

/** The most people one user may block. */
export const MAX_BLOCKED_USERS = 500

/** The most people one user may keep as contacts, and the most people of past deals that are shown beside them. */
export const MAX_CONTACTS = 500
export const MAX_RECENT_CONTACTS = 20

export const SESSION_DAYS = 30
/** How long a browser is known after its last sign-in. Browsers keep a cookie for at most 400 days. */
export const DEVICE_DAYS = 365

export const USER_ROLES = ['user', 'admin'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const PLANS = ['standard', 'premium'] as const
export type Plan = (typeof PLANS)[number]

export const VERIFICATION_STATUSES = ['pending', 'submitted', 'approved', 'rejected'] as const
/** What an operator decides about a verification. It is then the user's status. */
export const VERIFICATION_DECISIONS = [
  'approved',
  'rejected',
] as const satisfies readonly (typeof VERIFICATION_STATUSES)[number][]
export type VerificationDecision = (typeof VERIFICATION_DECISIONS)[number]
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]
/** Whether a user with this status may send documents: not while they are reviewed, and not once the user is verified. */
export const maySubmitVerification = (status: VerificationStatus): boolean =>
  status === 'pending' || status === 'rejected'

/** The documents of a verification, by their field in a submission (spec section 3). */
export const VERIFICATION_PICTURES = ['idFrontImage', 'idBackImage', 'selfieImage'] as const
export type VerificationPicture = (typeof VERIFICATION_PICTURES)[number]
/** How the browser scales a document before it sends it (spec section 9). */
export const VERIFICATION_BOXES = {
  idFrontImage: { width: 1200, height: 1200 },
  idBackImage: { width: 1200, height: 1200 },
  selfieImage: { width: 800, height: 800 },
} as const satisfies Record<VerificationPicture, { readonly width: number; readonly height: number }>
export const VERIFICATION_IMAGE_QUALITY = 0.8
/** The state of one submission. `uploading`: its documents are being stored, and nobody reviews it yet. */
export const SUBMISSION_STATES = ['uploading', 'submitted', ...VERIFICATION_DECISIONS] as const
