/** The tables that keep second factors, their set-ups and the sign-ins that wait for one. Each has a column `user_id`. */
export const FACTOR_TABLES = [
  'authenticator',
  'authenticator_setup',
  'passkey',
  'recovery_code',
  'sign_in_step',
] as const
