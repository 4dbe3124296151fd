import type { EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings, SETTING_OF_TYPE } from '@holdfast/kernel/messages'
import { CHANNELS, type Channel } from './channels.js'

const PER_EVENT = 100

export type PassedOn = PayloadOf<Channel['event']>['notifications'][number]

/** A notification, and what its user has chosen. */
export interface Candidate extends PassedOn {
  readonly settings: Partial<NotificationSettings> | null
}

/**
 * The events that ask identity-svc to pass notifications on to users who want that. identity-svc alone knows addresses and browsers.
 *
 * @param isDue whether a notification is due on a channel; all of them when left out
 */
export function passOnEvents<C extends Candidate>(
  candidates: readonly C[],
  now: Date,
  isDue: (channel: Channel, candidate: C) => boolean = () => true,
): EventEnvelope[] {
  return CHANNELS.flatMap(channel =>
    inParts(candidates.filter(each => isDue(channel, each) && isWanted(channel, each)).map(passedOn)).map(
      ([first, ...others]) => newEvent(channel.event, first.userId, { notifications: [first, ...others] }, now),
    ),
  )
}

/** Whether a notification is of use on a channel, and its user wants notifications of this type, and on this way. */
function isWanted({ types, setting }: Channel, { type, settings }: Candidate): boolean {
  if (types?.includes(type) === false) return false
  const chosen = { ...DEFAULT_NOTIFICATION_SETTINGS, ...settings }
  return chosen[setting] && chosen[SETTING_OF_TYPE[type]]
}

const passedOn = ({ id, userId, type, title, message, dealTitle, transactionId, disputeId }: PassedOn): PassedOn => ({
  id,
  userId,
  type,
  title,
  message,
  dealTitle,
  transactionId,
  disputeId,
})

function inParts(notifications: readonly PassedOn[]): [PassedOn, ...PassedOn[]][] {
  const parts: [PassedOn, ...PassedOn[]][] = []
  for (let from = 0; from < notifications.length; from += PER_EVENT) {
    const [first, ...others] = notifications.slice(from, from + PER_EVENT)
    if (first) parts.push([first, ...others])
  }
  return parts
}
