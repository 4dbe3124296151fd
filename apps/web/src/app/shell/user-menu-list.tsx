import { Gauge, LayoutDashboard, LogOut, MessageSquare, Scale, ShieldCheck, Star, User } from 'lucide-react'
import { Menu, MenuAction, MenuLink, MenuSeparator } from '../../components/menu.js'
import type { MenuTrigger } from '../../components/menu-on-demand.js'
import { type CurrentUser, fullName } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useSignOut } from '../../lib/use-sign-out.js'

export default function UserMenuList({ trigger, user }: MenuTrigger & { user: CurrentUser }) {
  const signOut = useSignOut()
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
      <MenuAction onSelect={() => void signOut()}>
        <LogOut aria-hidden="true" />
        Sign out
      </MenuAction>
    </Menu>
  )
}
