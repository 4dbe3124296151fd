import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm'
import { User } from '../users/user.entity.js'

/** A user has blocked another, who can then open no deal with them. */
@Entity({ name: 'blocks' })
export class Block {
  @PrimaryColumn('uuid', { name: 'blocker_id' })
  blockerId: string

  @PrimaryColumn('uuid', { name: 'blocked_id' })
  blockedId: string

  @ManyToOne(() => User)
  @JoinColumn({ name: 'blocker_id' })
  blocker: Relation<User>

  @ManyToOne(() => User)
  @JoinColumn({ name: 'blocked_id' })
  blocked: Relation<User>

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date
}
