import type { CurrentUser, PartyUser, PublicUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_SEARCH_RESULTS } from '@holdfast/kernel/users'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import { SearchLimit } from './search-limit.js'
import { normaliseQuery, prefixPattern } from './search-pattern.js'
import { User, viewOf } from './user.entity.js'

// An e-mail address is found only whole: nobody may collect addresses by their beginnings.
const MATCHES = `(
  lower(user.username) LIKE :prefix
  OR lower(user.lastName) LIKE :prefix
  OR lower(user.firstName || ' ' || user.lastName) LIKE :prefix
  OR lower(user.email) = lower(:query)
)`

/** Who people are. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly searchLimit: SearchLimit,
  ) {}

  /** @throws DomainError `UNAUTHENTICATED` when the account is gone */
  async getCurrent(userId: string): Promise<CurrentUser> {
    const user = await this.users.findOneBy({ id: userId })
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return viewOf(user)
  }

  /**
   * At most MAX_SEARCH_RESULTS others whose username, last name or full name begins with the query, or whose e-mail
   * address it is; by username.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async search(q: string, searcherId: string): Promise<PublicUser[]> {
    await this.searchLimit.count(searcherId)
    const query = normaliseQuery(q)
    const found = await this.users
      .createQueryBuilder('user')
      .where(MATCHES, { prefix: prefixPattern(query), query })
      .andWhere('user.id <> :searcherId', { searcherId })
      .orderBy('lower(user.username)')
      .limit(MAX_SEARCH_RESULTS)
      .getMany()
    return found.map(viewOf)
  }

  /** The people behind the ids, in no order; ids that nobody has are left out. */
  async lookUp(ids: readonly string[]): Promise<PartyUser[]> {
    const found = await this.users.findBy({ id: In([...new Set(ids)]) })
    return found.map(viewOf)
  }
}
