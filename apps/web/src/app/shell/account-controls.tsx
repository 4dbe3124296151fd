import type { CurrentUser } from '../../lib/current-user.js'
import { NotificationBell } from './notification-bell.js'
import { UserMenu } from './user-menu.js'

/** The bar's controls of somebody signed in; loaded after the first paint, since menus bring much code along. */
export default function AccountControls({ user }: { user: CurrentUser }) {
  return (
    <>
      <NotificationBell />
      <UserMenu user={user} />
    </>
  )
}
