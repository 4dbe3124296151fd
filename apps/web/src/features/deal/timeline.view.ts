import type { TimelineEntry, Transaction } from '@holdfast/contracts/transactions'
import type { Clock } from '@holdfast/kernel/clocks'
import type { z } from 'zod'
import { formatDateTime, type TimeOptions } from '../../lib/time.js'

type Entry = z.infer<typeof TimelineEntry>

const ACTORS = {
  system: 'by the system',
  carrier: 'by the carrier',
  provider: 'by the payment provider',
  mediator: 'by a mediator',
} as const

/** Who did it, as the viewer knows them: "by you", "by Ana", "by the carrier". */
export function actorName(
  actor: Entry['actor'],
  { viewerRole, buyer, seller }: Pick<Transaction, 'viewerRole'> & Record<'buyer' | 'seller', { firstName: string }>,
): string {
  if (actor !== 'buyer' && actor !== 'seller') return ACTORS[actor]
  return actor === viewerRole ? 'by you' : `by ${(actor === 'buyer' ? buyer : seller).firstName}`
}

/** Newest first. Entries of one moment all carry the same change of the clock: only the last of them shows it. */
export function withoutRepeatedClocks<T extends Pick<Entry, 'at' | 'clock'>>(entries: readonly T[]): T[] {
  return entries
    .map((entry, index) => (entries[index + 1]?.at === entry.at ? { ...entry, clock: null } : entry))
    .toReversed()
}

const CLOCK_NAMES: Record<Clock, string> = {
  payment_window: 'Time to pay',
  ship_by: 'Time to ship',
  receive_by: 'Time to arrive',
  inspection: 'Time to inspect',
}

/** What a fact did to the deadline: "Time to ship: until Thu, Dec 4, 3:40 PM". */
export function clockWords({ kind, change, dueAt }: NonNullable<Entry['clock']>, options: TimeOptions = {}): string {
  const until = dueAt ? ` until ${formatDateTime(new Date(dueAt), options)}` : ''
  switch (change) {
    case 'started':
      return `${CLOCK_NAMES[kind]}:${until}`
    case 'resumed':
      return `${CLOCK_NAMES[kind]} runs again:${until}`
    case 'extended':
      return `${CLOCK_NAMES[kind]} was extended:${until}`
    case 'paused':
      return `${CLOCK_NAMES[kind]} is paused.`
    case 'stopped':
      return `${CLOCK_NAMES[kind]}: ended.`
  }
}
