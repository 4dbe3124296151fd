import { routes } from 'virtual:routes'
import { CheckCheck, Settings } from 'lucide-react'
import { Menu, MenuAction, MenuLink } from '../../components/menu.js'
import type { MenuTrigger } from '../../components/menu-on-demand.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'

/** What can be done with all conversations. */
export default function ConversationsMenu({ trigger }: MenuTrigger) {
  const { give } = useCommand(routes.readConversations, {
    whether: 'the messages were marked as read',
    done: () => ['All messages are marked as read'],
    refused: error => ['Nothing was marked as read', error.serverMessage],
    refresh: () => refreshAfter({ kind: 'read' }),
  })
  return (
    <Menu label="More about messages" trigger={trigger}>
      <MenuAction onSelect={() => void give({})}>
        <CheckCheck aria-hidden="true" />
        Mark all as read
      </MenuAction>
      <MenuLink to={paths.profile}>
        <Settings aria-hidden="true" />
        Settings
      </MenuLink>
    </Menu>
  )
}
