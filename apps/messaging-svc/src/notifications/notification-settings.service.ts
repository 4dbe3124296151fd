import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_TYPES,
  type NotificationSettings,
  type NotificationType,
  SETTING_OF_TYPE,
} from '@holdfast/kernel/messages'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** What users want to be told, and how. */
@Injectable()
export class NotificationSettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /** The settings of a user. One that was added later than the user has chosen has its default. */
  async get(userId: string): Promise<NotificationSettings> {
    const [row]: { settings: Partial<NotificationSettings> }[] = await this.dataSource.query(
      'SELECT settings FROM notification_settings WHERE user_id = $1',
      [userId],
    )
    return { ...DEFAULT_NOTIFICATION_SETTINGS, ...row?.settings }
  }

  /** Changes settings of a user; the others stay. @returns all of them */
  async set(userId: string, changes: Partial<NotificationSettings>): Promise<NotificationSettings> {
    const [row]: { settings: Partial<NotificationSettings> }[] = await this.dataSource.query(
      `INSERT INTO notification_settings (user_id, settings) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET settings = notification_settings.settings || $3, changed_at = now()
       RETURNING settings`,
      [userId, { ...DEFAULT_NOTIFICATION_SETTINGS, ...changes }, changes],
    )
    return { ...DEFAULT_NOTIFICATION_SETTINGS, ...row!.settings }
  }

  /** The types of notifications that a user does not want to see. They are kept, and shown when the user wants them again. */
  async hiddenTypes(userId: string): Promise<NotificationType[]> {
    const settings = await this.get(userId)
    return NOTIFICATION_TYPES.filter(type => !settings[SETTING_OF_TYPE[type]])
  }
}
