import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Conversations1795305600000 } from './1795305600000-conversations.js'
import { PayoutNotifications1795801000000 } from './1795801000000-payout-notifications.js'
import { DisputeNotifications1796520000000 } from './1796520000000-dispute-notifications.js'
import { ReadMarks1797400000000 } from './1797400000000-read-marks.js'
import { NotificationSettings1797410000000 } from './1797410000000-notification-settings.js'
import { SealedMessages1798400000000 } from './1798400000000-sealed-messages.js'
import { MailedNotifications1798410000000 } from './1798410000000-mailed-notifications.js'
import { PlanNotifications1799700000000 } from './1799700000000-plan-notifications.js'
import { MessagePictures1799730000000 } from './1799730000000-message-pictures.js'
import { PushedNotifications1799730100000 } from './1799730100000-pushed-notifications.js'
import { TextedNotifications1799730200000 } from './1799730200000-texted-notifications.js'
import { MessagesOfAPerson1799740000000 } from './1799740000000-messages-of-a-person.js'
import { ClosedUsers1799784000000 } from './1799784000000-closed-users.js'
import { OneQueueOfNotifications1799785000000 } from './1799785000000-one-queue-of-notifications.js'
import { RowsByAge1799785002000 } from './1799785002000-rows-by-age.js'
import { BoundedCleanups1799785002100 } from './1799785002100-bounded-cleanups.js'
import { OpenedDisputes1799785003100 } from './1799785003100-opened-disputes.js'
import { Blocks1799786080000 } from './1799786080000-blocks.js'

/** The migrations, role and grants of messaging-svc. */
export const plan = {
  service: 'messaging-svc' as const,
  role: 'messaging_svc',
  schema: 'messaging',
  migrations: [
    Conversations1795305600000,
    PayoutNotifications1795801000000,
    DisputeNotifications1796520000000,
    ReadMarks1797400000000,
    NotificationSettings1797410000000,
    SealedMessages1798400000000,
    MailedNotifications1798410000000,
    PlanNotifications1799700000000,
    MessagePictures1799730000000,
    PushedNotifications1799730100000,
    TextedNotifications1799730200000,
    MessagesOfAPerson1799740000000,
    ClosedUsers1799784000000,
    OneQueueOfNotifications1799785000000,
    RowsByAge1799785002000,
    BoundedCleanups1799785002100,
    OpenedDisputes1799785003100,
    Blocks1799786080000,
  ],
  appendOnly: [IDEMPOTENCY_TABLE],
  grants: [idempotencyGrant('messaging', 'messaging_svc')],
} as const satisfies MigrationPlan
