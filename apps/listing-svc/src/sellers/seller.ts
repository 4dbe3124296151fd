import type { PublicUser } from '@holdfast/contracts/users'

/** A seller as everybody sees them. */
export type Seller = PublicUser
