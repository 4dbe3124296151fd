import type { CurrentUser } from '@holdfast/contracts/users'
import type { Plan, UserRole, VerificationStatus } from '@holdfast/kernel/users'
import { Column, Entity, PrimaryColumn } from 'typeorm'

@Entity({ name: 'users' })
export class User {
  @PrimaryColumn('uuid')
  id: string

  @Column('text')
  email: string

  @Column('timestamptz', { name: 'email_confirmed_at', nullable: true })
  emailConfirmedAt: Date | null

  /** When the user changed to the present address; null as long as it is the first one. */
  @Column('timestamptz', { name: 'email_changed_at', nullable: true })
  emailChangedAt: Date | null

  /** When the owner of the address took the account over from whoever had opened it; null when nobody has. */
  @Column('timestamptz', { name: 'taken_over_at', nullable: true })
  takenOverAt: Date | null

  @Column('text')
  username: string

  /** Loaded only by queries that select it explicitly. */
  @Column('text', { name: 'password_hash', select: false })
  passwordHash?: string

  /** Grows with each change of the password, so that what was proven with an earlier one counts no more. */
  @Column('integer', { name: 'password_version', default: 1 })
  passwordVersion: number

  @Column('text', { name: 'first_name' })
  firstName: string

  @Column('text', { name: 'last_name' })
  lastName: string

  @Column('text', { name: 'phone_number', nullable: true })
  phoneNumber: string | null

  @Column('text', { nullable: true })
  avatar: string | null

  @Column('text', { name: 'profile_image_url', nullable: true })
  profileImageUrl: string | null

  @Column('text', { name: 'verification_status' })
  verificationStatus: VerificationStatus

  /** Why the documents were rejected; null in every other state. */
  @Column('text', { name: 'verification_reason', nullable: true })
  verificationReason: string | null

  @Column('text')
  role: UserRole

  /** For an admin: from when on they count for acts that need two admins. */
  @Column('timestamptz', { name: 'approves_from', nullable: true })
  approvesFrom: Date | null

  /** Set while an operator has suspended the user: they have no session and can open none. */
  @Column('timestamptz', { name: 'suspended_at', nullable: true })
  suspendedAt: Date | null

  @Column('text')
  plan: Plan

  @Column('double precision', { nullable: true })
  rating: number | null

  /** How many reviews `rating` is the mean of. */
  @Column('integer', { name: 'rating_count' })
  ratingCount: number

  @Column('integer', { name: 'total_transactions' })
  totalTransactions: number

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date

  /** The attempt to close the account. Not null while it is being closed, and once it is closed: then nobody can sign in. */
  @Column('uuid', { name: 'closing_id', nullable: true })
  closingId: string | null

  @Column('timestamptz', { name: 'closing_at', nullable: true })
  closingAt: Date | null

  /** When escrow-svc is asked again about the closing. */
  @Column('timestamptz', { name: 'closing_next_at', nullable: true })
  closingNextAt: Date | null

  @Column('timestamptz', { name: 'closed_at', nullable: true })
  closedAt: Date | null
}

/**
 * A user for the answers of routes and for events. It has all public and private fields. The schema of the route or event
 * removes those that its readers may not see.
 */
export function viewOf({
  passwordHash: _,
  passwordVersion: __,
  approvesFrom: ___,
  ratingCount: ____,
  suspendedAt: _____,
  closingId: ______,
  closingAt: _______,
  closingNextAt: ________,
  closedAt: _________,
  emailChangedAt: __________,
  emailConfirmedAt,
  takenOverAt,
  ...user
}: User): CurrentUser & { readonly takenOverAt: string | null } {
  return {
    ...user,
    emailConfirmed: emailConfirmedAt !== null,
    takenOverAt: takenOverAt?.toISOString() ?? null,
    isVerified: user.verificationStatus === 'approved',
    createdAt: user.createdAt.toISOString(),
  }
}
