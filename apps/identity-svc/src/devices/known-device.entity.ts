import { Column, Entity, PrimaryColumn } from 'typeorm'

/** A browser with which a user has signed in before. */
@Entity({ name: 'known_devices' })
export class KnownDevice {
  /** SHA-256 of the token in the browser's cookie. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash: Buffer

  @Column('uuid', { name: 'user_id' })
  userId: string

  @Column('timestamptz', { name: 'used_at' })
  usedAt: Date
}
