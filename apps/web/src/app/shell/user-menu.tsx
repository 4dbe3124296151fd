import { Avatar } from '../../components/avatar.js'
import { menuOnDemand } from '../../components/menu-on-demand.js'
import { type CurrentUser, fullName } from '../../lib/current-user.js'

const List = menuOnDemand(() => import('./user-menu-list.js'))

/** The account of the signed-in user. */
export function UserMenu({ user }: { user: CurrentUser }) {
  return (
    <List
      user={user}
      trigger={
        <button
          type="button"
          aria-label={`Account of ${fullName(user)}`}
          className="grid size-11 place-items-center rounded-full focus-visible:rounded-full"
        >
          <Avatar {...user} imageUrl={user.profileImageUrl} className="size-9 text-sm" />
        </button>
      }
    />
  )
}
