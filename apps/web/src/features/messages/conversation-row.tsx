import type { Conversation } from '@holdfast/contracts/messages'
import { Link } from 'react-router-dom'
import { Avatar } from '../../components/avatar.js'
import { RelativeTime } from '../../components/relative-time.js'
import { classes } from '../../lib/class-names.js'
import { paths } from '../../lib/paths.js'

/** Unread messages are counted up to a number of two digits. */
const MAX_COUNTED = 99

/** One conversation: with whom, about what, the last message, and how many are unread. It leads to the chat. */
export function ConversationRow({ conversation, viewerId }: { conversation: Conversation; viewerId: string }) {
  const { transactionId, title, other, lastMessage, unread } = conversation
  const isUnread = unread > 0
  return (
    <li>
      <Link to={paths.transactionMessages(transactionId)} className="flex gap-4 px-1 py-4 hover:bg-sunken sm:px-3">
        <Avatar {...other} imageUrl={other.profileImageUrl} className="size-11 text-sm" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-4">
            <span className={classes('min-w-0 truncate', isUnread ? 'font-bold' : 'font-semibold')}>
              {other.firstName} {other.lastName}
            </span>
            <RelativeTime at={lastMessage.createdAt} className="shrink-0 text-sm text-ink-soft" />
          </span>
          <span className="block truncate text-sm text-ink-soft">{title}</span>
          <span className="mt-1 flex items-center justify-between gap-4">
            <span className={classes('flex min-w-0 gap-1', isUnread ? 'font-semibold text-ink' : 'text-ink-soft')}>
              {lastMessage.senderId === viewerId && <span>You: </span>}
              {/* In the direction of its words, so that their end is cut off and not their beginning. */}
              <span dir="auto" className="min-w-0 truncate">
                {wordsOf(lastMessage)}
              </span>
            </span>
            {isUnread && (
              <span className="figures shrink-0 rounded-full bg-ink px-2 py-0.5 text-xs font-semibold text-on-ink">
                {unread === MAX_COUNTED ? `${MAX_COUNTED}+` : unread}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** What a message says in one line. One without words is named by its pictures. */
function wordsOf({ content, images }: Conversation['lastMessage']): string {
  if (content !== '') return content
  return images === 1 ? 'Picture' : `${images} pictures`
}
