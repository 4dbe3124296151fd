/** The three agreements of the create-listing wizard, by version of their wording. */

/**
 * Every wording that was ever signed, oldest first. A new wording is added at the end. A signature under an older wording
 * stays valid.
 */
export const AGREEMENTS_VERSIONS = ['2026-11', '2026-11.2', '2026-11.3'] as const
export type AgreementsVersion = (typeof AGREEMENTS_VERSIONS)[number]
/** The wording that is signed now. */
export const AGREEMENTS_VERSION: AgreementsVersion = '2026-11.3'
export const MAX_SIGNATURE_LENGTH = 120
/** What is said about a signature that is missing. */
export const SIGNATURE_MISSING = 'Type your full legal name'
