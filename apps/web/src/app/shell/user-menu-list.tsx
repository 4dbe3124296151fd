import { Gauge, LayoutDashboard, LogOut, MessageSquare, Scale, ShieldCheck, Star, User } from 'lucide-react'
import { Menu, MenuAction, MenuLink, MenuSeparator } from '../../components/menu.js'
import type { MenuTrigger } from '../../components/menu-on-demand.js'
import { type CurrentUser, fullName, signOut } from '../../lib/current-user.js'
import { useNavigate } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'

export function UserMenuList({ trigger, user }: MenuTrigger & { user: CurrentUser }) {
  const leave = useSignOut()
  return (
    <Menu label="Account" trigger={trigger}>
      <div className="px-2.5 pt-1.5 pb-2">
        <p className="font-semibold">{fullName(user)}</p>
        <p className="text-sm text-ink-soft">@{user.username}</p>
      </div>
      <MenuSeparator />
      <MenuLink to={paths.dashboard}>
        <LayoutDashboard aria-hidden="true" />
        Dashboard
      </MenuLink>
      <MenuLink to={paths.profile}>
        <User aria-hidden="true" />
        Profile
      </MenuLink>
      <MenuLink to={paths.messages}>
        <MessageSquare aria-hidden="true" />
        Messages
      </MenuLink>
      <MenuLink to={paths.fileDispute}>
        <Scale aria-hidden="true" />
        File Dispute
      </MenuLink>
      {user.role === 'admin' && (
        <MenuLink to={paths.admin}>
          <Gauge aria-hidden="true" />
          Console
        </MenuLink>
      )}
      {(!user.isVerified || user.plan === 'standard') && <MenuSeparator />}
      {!user.isVerified && (
        <MenuLink to={paths.verification}>
          <ShieldCheck aria-hidden="true" />
          Get Verified
        </MenuLink>
      )}
      {user.plan === 'standard' && (
        <MenuLink to={paths.upgrade}>
          <Star aria-hidden="true" />
          Upgrade
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuAction onSelect={leave}>
        <LogOut aria-hidden="true" />
        Sign out
      </MenuAction>
    </Menu>
  )
}

/** Ends the session and goes to the landing page, whatever the server answers. */
function useSignOut() {
  const navigate = useNavigate()
  return () => {
    // Leave the protected page first: otherwise the sign-in screen would flash up there.
    navigate(paths.home)
    void signOut()
  }
}
