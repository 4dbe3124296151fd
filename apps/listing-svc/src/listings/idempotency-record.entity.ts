import { Column, Entity, PrimaryColumn } from 'typeorm'

/** The answer a request with an Idempotency-Key got, for whoever sends it again. */
@Entity('idempotency_record')
export class IdempotencyRecord {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string
  @PrimaryColumn('text')
  route: string
  @PrimaryColumn('text')
  key: string
  @Column('bytea', { name: 'input_hash' })
  inputHash: Buffer
  @Column('jsonb', { nullable: true })
  answer: object | null
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date
}
