/** Closing an account, and the export of a person's data. */

/** What stands in the way of closing an account. */
export const CLOSING_OBSTACLES = [
  'admin',
  'open_deal',
  'open_dispute',
  'open_chargeback',
  'refund_due',
  'payout_under_way',
  'balance',
  'negative_balance',
] as const
export type ClosingObstacle = (typeof CLOSING_OBSTACLES)[number]

/** What a user reads about an obstacle. */
export const CLOSING_OBSTACLE_TEXTS: Readonly<Record<ClosingObstacle, string>> = {
  admin: 'You are an admin. Another admin must take this role from you first.',
  open_deal: 'You have a transaction that is not finished. Finish or cancel it first.',
  open_dispute: 'You have a dispute that is not closed.',
  open_chargeback: 'A bank has not decided about a chargeback of one of your transactions.',
  refund_due: 'A refund of one of your transactions has not arrived.',
  payout_under_way: 'A payout to you has not arrived at your bank.',
  balance: 'There is money on your balance. Have it paid out first.',
  negative_balance: 'Your balance is below zero. Write to our support team to settle it.',
}

/** A person who signs in at a provider knows no password here. Within this time after they signed in, they need none. */
export const FRESH_SIGN_IN_MINUTES = 10

/** How long the address of an export can be used, once. */
export const EXPORT_ADDRESS_MINUTES = 10

/** The version of the export's shape, which `docs/personal-data.md` describes. It grows when a field changes or goes. */
export const EXPORT_VERSION = 1
