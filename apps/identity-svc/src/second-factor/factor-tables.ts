/** The tables that have the second factors of a user, and what belongs to them, by `user_id`. */
export const FACTOR_TABLES = [
  'authenticator',
  'authenticator_setup',
  'passkey',
  'recovery_code',
  'sign_in_step',
] as const
