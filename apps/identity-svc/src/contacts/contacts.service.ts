import type { PublicUser } from '@holdfast/contracts/users'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { MAX_CONTACTS } from '@holdfast/kernel/users'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import { User, viewOf } from '../users/user.entity.js'

/** The people whom a user has saved. */
@Injectable()
export class ContactsService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** Latest first. */
  async list(ownerId: string): Promise<PublicUser[]> {
    const found = await this.users
      .createQueryBuilder('user')
      .innerJoin('contact', 'contact', 'contact.user_id = user.id AND contact.owner_id = :ownerId', { ownerId })
      .orderBy('contact.added_at', 'DESC')
      .getMany()
    return found.map(viewOf)
  }

  /**
   * Saves a person. Saving them again changes nothing.
   *
   * @throws DomainError `NOT_FOUND` for an unknown user; `VALIDATION_FAILED` for the user themselves; `RATE_LIMITED` after MAX_CONTACTS
   */
  async add(ownerId: string, userId: string): Promise<void> {
    if (ownerId === userId) throw invalidFields({ userId: 'You cannot save yourself.' })
    if (!(await this.users.existsBy({ id: userId }))) throw new DomainError('NOT_FOUND')
    const [row]: { count: number }[] = await this.users.query(
      'SELECT count(*)::int AS count FROM contact WHERE owner_id = $1',
      [ownerId],
    )
    if (row!.count >= MAX_CONTACTS) {
      throw new DomainError('RATE_LIMITED', undefined, `You can save at most ${MAX_CONTACTS} people.`)
    }
    await this.users.query('INSERT INTO contact (owner_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      ownerId,
      userId,
    ])
  }

  /** @throws DomainError `NOT_FOUND` when the person is not saved */
  async remove(ownerId: string, userId: string): Promise<void> {
    const [, removed]: [unknown, number] = await this.users.query(
      'DELETE FROM contact WHERE owner_id = $1 AND user_id = $2',
      [ownerId, userId],
    )
    if (removed === 0) throw new DomainError('NOT_FOUND')
  }
}
