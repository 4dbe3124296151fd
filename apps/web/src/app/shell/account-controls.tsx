import type { CurrentUser } from '../../lib/current-user.js'
import { NotificationBell } from './notification-bell.js'
import { UserMenu } from './user-menu.js'

/** The bar's controls of a signed-in user. They load after the first paint, because menus need much code. */
export default function AccountControls({ user }: { user: CurrentUser }) {
  return (
    <>
      <NotificationBell />
      <UserMenu user={user} />
    </>
  )
}
