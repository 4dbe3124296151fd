import type { SellerProfile } from '@holdfast/contracts/reviews'
import type { CurrentUser, PartyUser, PublicUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_SEARCH_RESULTS } from '@holdfast/kernel/users'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import { SearchLimit } from './search-limit.js'
import { normaliseQuery, prefixPattern } from './search-pattern.js'
import { User, viewOf } from './user.entity.js'
import { usersWith } from './users-with.js'

/**
 * Each part of the union reads its own index in order and stops after $3 rows, so that a search for a common name costs no
 * more than one for a rare name. An e-mail address must match completely, so that addresses cannot be found by guessing
 * their first letters. An address that is not confirmed finds no one: another person may have opened the account with it.
 */
const MATCHES = `
  (SELECT id FROM users WHERE lower(username) LIKE $1 AND closed_at IS NULL ORDER BY lower(username) USING ~<~ LIMIT $3)
  UNION (SELECT id FROM users WHERE lower(last_name) LIKE $1 AND closed_at IS NULL ORDER BY lower(last_name) USING ~<~ LIMIT $3)
  UNION (SELECT id FROM users WHERE lower(first_name || ' ' || last_name) LIKE $1 AND closed_at IS NULL
         ORDER BY lower(first_name || ' ' || last_name) USING ~<~ LIMIT $3)
  UNION (SELECT id FROM users WHERE lower(email) = lower($2) AND email_confirmed_at IS NOT NULL)`

/** Reads users. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly searchLimit: SearchLimit,
  ) {}

  /** @throws DomainError `UNAUTHENTICATED` when the account no longer exists */
  async getCurrent(userId: string): Promise<CurrentUser> {
    const user = await this.users.findOneBy({ id: userId })
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return viewOf(user)
  }

  /**
   * At most MAX_SEARCH_RESULTS other users whose username, last name or full name begins with the query, or whose e-mail
   * address equals it, without those who have blocked the searcher. An exact match of username or e-mail comes first; the others are sorted by
   * username.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async search(q: string, searcherId: string): Promise<PublicUser[]> {
    await this.searchLimit.count(searcherId)
    const query = normaliseQuery(q)
    // One more than the limit, because the searcher may be among them and is left out. So is everybody who has blocked them.
    const parameters = [prefixPattern(query), query, MAX_SEARCH_RESULTS + 1]
    const matches: { id: string }[] = await this.users.query(MATCHES, parameters)
    const ids = matches.map(({ id }) => id).filter(id => id !== searcherId)
    const found = await this.users
      .createQueryBuilder('user')
      .where({ id: In(ids) })
      .andWhere('NOT EXISTS (SELECT FROM blocks WHERE blocker_id = user.id AND blocked_id = :searcherId)', {
        searcherId,
      })
      .orderBy('lower(user.username) <> lower(:query) AND lower(user.email) <> lower(:query)')
      .addOrderBy('lower(user.username)')
      .setParameter('query', query)
      .limit(MAX_SEARCH_RESULTS)
      .getMany()
    return found.map(viewOf)
  }

  /**
   * What everyone may know of a user. A closed account has no profile.
   *
   * @throws DomainError `NOT_FOUND`
   */
  async seller(username: string): Promise<SellerProfile> {
    const user = await usersWith(this.users.manager, 'username', username).getOne()
    if (!user || user.closedAt !== null) throw new DomainError('NOT_FOUND')
    const { totalTransactions, ratingCount, createdAt } = user
    const facts = { completedDeals: totalTransactions, reviewCount: ratingCount, memberSince: createdAt.toISOString() }
    return { ...viewOf(user), ...facts }
  }

  /** The users with these ids, in no particular order; unknown ids are left out. */
  async lookUp(ids: readonly string[]): Promise<PartyUser[]> {
    const found = await this.users.findBy({ id: In([...new Set(ids)]) })
    return found.map(viewOf)
  }
}
