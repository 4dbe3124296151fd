import type { PublicUser } from '@holdfast/contracts/users'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { MAX_BLOCKED_USERS } from '@holdfast/kernel/users'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { DataSource, IsNull, Not, Repository } from 'typeorm'
import { User, viewOf } from '../users/user.entity.js'
import { Block } from './block.entity.js'
import { publishBlocks } from './publish-blocks.js'

const BLOCK = `INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING blocked_id`

/**
 * Keeps which users a user has blocked. A blocked user opens no deal with the one who blocked them, finds them in no search, and mails them no
 * invitation.
 */
@Injectable()
export class BlocksService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Block) private readonly blocks: Repository<Block>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly clock: Clock,
  ) {}

  /** The users whom a user has blocked, latest first. */
  async list(blockerId: string): Promise<PublicUser[]> {
    const blocks = await this.blocks.find({
      where: { blockerId },
      relations: { blocked: true },
      order: { createdAt: 'DESC' },
      take: MAX_BLOCKED_USERS,
    })
    return blocks.map(({ blocked }) => viewOf(blocked))
  }

  /**
   * Blocks a user. Blocking them again changes nothing.
   *
   * @throws DomainError `NOT_FOUND` for an unknown user; `VALIDATION_FAILED` for the user themselves; `RATE_LIMITED` after
   * MAX_BLOCKED_USERS
   */
  async block(blockerId: string, blockedId: string): Promise<void> {
    if (blockerId === blockedId) throw invalidFields({ userId: 'You cannot block yourself.' })
    if (!(await this.users.existsBy({ id: blockedId }))) throw new DomainError('NOT_FOUND')
    if ((await this.blocks.countBy({ blockerId })) >= MAX_BLOCKED_USERS) {
      throw new DomainError('RATE_LIMITED', undefined, `You can block at most ${MAX_BLOCKED_USERS} people.`)
    }
    await this.dataSource.transaction(async dbTx => {
      const made: unknown[] = await dbTx.query(BLOCK, [blockerId, blockedId, this.clock.now()])
      if (made.length > 0) await publishBlocks(dbTx, blockerId, [blockedId], true)
    })
  }

  /** @throws DomainError `NOT_FOUND` when the user is not blocked */
  async unblock(blockerId: string, blockedId: string): Promise<void> {
    await this.dataSource.transaction(async dbTx => {
      const { affected } = await dbTx.delete(Block, { blockerId, blockedId })
      if (!affected) throw new DomainError('NOT_FOUND')
      await publishBlocks(dbTx, blockerId, [blockedId], false)
    })
  }

  /** Whether `userId` cannot open a deal with `blockerId`: `blockerId` has blocked them, or is suspended. */
  async isBlocked(blockerId: string, userId: string): Promise<boolean> {
    if (await this.users.existsBy({ id: blockerId, suspendedAt: Not(IsNull()) })) return true
    return this.blocks.existsBy({ blockerId, blockedId: userId })
  }

  /** Whether a mail to this address would reach somebody who has blocked the user. Whose address it is was confirmed. */
  async isMailboxBlocked(email: string, userId: string): Promise<boolean> {
    const blocks = await this.blocks.find({ where: { blockedId: userId }, relations: { blocker: true } })
    const mailbox = recipientKey(email)
    return blocks.some(
      ({ blocker }) => blocker.emailConfirmedAt !== null && blocker.email && recipientKey(blocker.email) === mailbox,
    )
  }
}
