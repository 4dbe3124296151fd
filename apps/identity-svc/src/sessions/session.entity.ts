import { Column, Entity, PrimaryColumn } from 'typeorm'

@Entity({ name: 'sessions' })
export class Session {
  @PrimaryColumn('uuid')
  id: string

  @Column('uuid', { name: 'user_id' })
  userId: string

  /** SHA-256 of the token in the cookie. The hash cannot be used as a token, should someone read this table. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash: Buffer

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null

  /** When the user has shown a second factor in this session; null when it was made without one. */
  @Column('timestamptz', { name: 'second_factor_at', nullable: true })
  secondFactorAt: Date | null

  /** When the user has last shown in this session who they are. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null

  @Column('text', { name: 'client_ip', nullable: true })
  clientIp: string | null

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null
}
