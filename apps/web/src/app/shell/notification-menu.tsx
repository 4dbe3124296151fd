import { routes } from 'virtual:routes'
import type { Notification } from '@holdfast/contracts/messages'
import { BadgePercent, Landmark, MessageSquare, Package, Scale, Settings, ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { StaleNote } from '../../components/live-sign.js'
import { Menu, MenuLink, MenuSeparator } from '../../components/menu.js'
import type { MenuTrigger } from '../../components/menu-on-demand.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { loadFailure, request } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'

interface NotificationListProps {
  items: readonly Notification[] | undefined
  error: Error | undefined
}

/** The latest notifications. Each time it opens, all notifications are marked as read. */
export default function NotificationMenu({
  trigger,
  unread,
  ...list
}: MenuTrigger & NotificationListProps & { unread: number }) {
  // The reader gave no command, so a failure shows no message. What is unread stays unread.
  const markRead = async () => {
    if (unread === 0) return
    await request(routes.readNotifications, {})
    await refreshAfter({ kind: 'notifications' })
  }
  const onOpen = () =>
    void markRead().catch((failure: unknown) => console.error('marking notifications as read failed', failure))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for the first time, when the menu is rendered open
  useEffect(onOpen, [])
  return (
    <Menu label="Notifications" onOpenChange={open => open && onOpen()} trigger={trigger}>
      <div className="w-[min(22rem,calc(100vw-2.5rem))]">
        <p className="flex items-baseline justify-between gap-4 px-2.5 pt-1.5 pb-1">
          <span className="font-semibold">Notifications</span>
          <StaleNote />
        </p>
        <div className="max-h-[min(32rem,60dvh)] overflow-y-auto">
          <NotificationList {...list} />
        </div>
        <MenuSeparator />
        <MenuLink to={paths.profile}>
          <Settings aria-hidden="true" />
          Notification settings
        </MenuLink>
      </div>
    </Menu>
  )
}

function NotificationList({ items, error }: NotificationListProps) {
  if (error && !items)
    return <p className="px-2.5 pb-2 text-sm text-ink-soft">Could not be loaded. {loadFailure(error)}</p>
  if (!items) {
    return (
      <div className="px-2.5 pb-2">
        <Loading label="Loading notifications">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="mt-2 h-4 w-1/2" />
        </Loading>
      </div>
    )
  }
  if (items.length === 0) {
    return (
      <p className="px-2.5 pb-2 text-sm text-ink-soft">
        Nothing yet. Changes of your transactions and new messages show here.
      </p>
    )
  }
  return items.map(item => (
    <MenuLink key={item.id} to={addressOf(item)}>
      <NotificationIcon type={item.type} />
      <span className="min-w-0 flex-1 py-2">
        <span className="block font-medium">{item.title}</span>
        <span className="block text-sm text-ink-soft">{item.message}</span>
        <RelativeTime at={item.time} className="text-xs text-ink-faint" />
      </span>
      {!item.read && (
        <span className="size-2 shrink-0 rounded-full bg-ink">
          <span className="sr-only">Unread</span>
        </span>
      )}
    </MenuLink>
  ))
}

const ICONS = {
  transaction: Package,
  dispute: Scale,
  message: MessageSquare,
  security: ShieldCheck,
  payout: Landmark,
  plan: BadgePercent,
} as const

function NotificationIcon({ type }: { type: Notification['type'] }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden="true" className="mt-2.5 self-start" />
}

function addressOf({ transactionId, disputeId, type }: Notification): string {
  if (type === 'payout' || type === 'plan') return paths.payouts
  if (disputeId !== null) return paths.dispute(disputeId)
  if (transactionId === null) return paths.profile
  return type === 'message' ? paths.transactionMessages(transactionId) : paths.transaction(transactionId)
}
