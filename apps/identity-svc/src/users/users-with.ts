import type { EntityManager, SelectQueryBuilder } from 'typeorm'
import { User } from './user.entity.js'

/** The users with this e-mail address or username: at most one, since the unique indexes ignore case, as this does. */
export const usersWith = (
  manager: EntityManager,
  field: 'email' | 'username',
  value: string,
): SelectQueryBuilder<User> =>
  manager.createQueryBuilder(User, 'user').where(`lower(user.${field}) = lower(:value)`, { value })
