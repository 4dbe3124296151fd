import { routes } from 'virtual:routes'
import { Bell } from 'lucide-react'
import { menuOnDemand } from '../../components/menu-on-demand.js'
import { useCall } from '../../lib/use-call.js'

const List = menuOnDemand(() => import('./notification-menu.js'))

/** The newest ones, in a menu that scrolls. The server counts the unread ones among all. */
const SHOWN = 30
const INPUT = { query: { limit: SHOWN } } as const

/** From here on the exact number does not matter. */
const MAX_COUNT = 99

/** What happened lately, and how much of it is unread. Opening it marks everything as read. */
export function NotificationBell() {
  const { data, error } = useCall(routes.listNotifications, INPUT)
  const unread = useCall(routes.getUnreadNotifications, {}).data?.unread ?? 0
  return (
    <List
      items={data}
      error={error}
      unread={unread}
      trigger={
        <button
          type="button"
          aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
          className="relative grid size-11 place-items-center rounded-md hover:bg-sunken"
        >
          <Bell aria-hidden="true" className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="figures absolute top-0 -right-0.5 min-w-5 rounded-full border-2 border-paper bg-ink px-1 text-center text-[0.6875rem]/4 font-semibold text-on-ink"
            >
              {unread > MAX_COUNT ? `${MAX_COUNT}+` : unread}
            </span>
          )}
        </button>
      }
    />
  )
}
