import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { DEVICE_DAYS } from '@holdfast/kernel/users'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { type EntityManager, MoreThan, Repository } from 'typeorm'
import { KnownDevice } from './known-device.entity.js'

/** The most browsers of one account that are known. A further one replaces the one that was used longest ago. */
export const MAX_DEVICES_PER_USER = 20

const FORGET_OLD = `
  DELETE FROM known_devices WHERE user_id = $1 AND (
    used_at < $3::timestamptz - make_interval(days => $4)
    OR token_hash IN (SELECT token_hash FROM known_devices WHERE user_id = $1 ORDER BY used_at DESC, token_hash OFFSET $2))`

/**
 * Keeps with which browsers a user has signed in. Such a browser holds a token in a cookie. Strangers do not have it, so
 * their wrong passwords do not count for it, and the owner can always sign in there (OWASP: "device cookies").
 */
@Injectable()
export class KnownDevicesService {
  constructor(
    @InjectRepository(KnownDevice) private readonly devices: Repository<KnownDevice>,
    private readonly clock: Clock,
  ) {}

  /** Whether the user has signed in with the browser that holds this token. */
  async isKnown(userId: string, token: string | null, manager = this.devices.manager): Promise<boolean> {
    if (token === null) return false
    const oldest = new Date(this.clock.now().getTime() - DEVICE_DAYS * REAL_DAY_SECONDS * 1000)
    return manager.existsBy(KnownDevice, { tokenHash: hashOfToken(token), userId, usedAt: MoreThan(oldest) })
  }

  /**
   * Remembers, in the dbTx of `manager`, that the user has signed in with a browser.
   *
   * @param token what the browser's cookie holds. A token that is not known for this user is not accepted, because another
   * person may have put it there.
   * @returns the token for the cookie
   */
  async remember(manager: EntityManager, userId: string, token: string | null): Promise<string> {
    const now = this.clock.now()
    // Over the connection of the dbTx: when each of many sign-ins waited for a second one, none would get it.
    const known = token !== null && (await this.isKnown(userId, token, manager)) ? token : newToken()
    await manager.upsert(KnownDevice, { tokenHash: hashOfToken(known), userId, usedAt: now }, ['tokenHash'])
    await manager.query(FORGET_OLD, [userId, MAX_DEVICES_PER_USER, now, DEVICE_DAYS])
    return known
  }
}

/** Forgets the browsers of a user, in a dbTx, but the one whose cookie holds this token. */
export async function forgetOtherDevices(dbTx: Queryable, userId: string, token: string | null): Promise<void> {
  const kept = token === null ? null : hashOfToken(token)
  await dbTx.query('DELETE FROM known_devices WHERE user_id = $1 AND token_hash IS DISTINCT FROM $2', [userId, kept])
}
