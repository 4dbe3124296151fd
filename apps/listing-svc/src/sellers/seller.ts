import type { PublicUser } from '@holdfast/contracts/users'

/** A seller's public fields. */
export type Seller = PublicUser
