import { pages } from '@holdfast/contracts/pages'
import { ButtonLink } from '../../components/button.js'
import { HonestPage } from '../../components/honest-page.js'
import { paths } from '../../lib/paths.js'

export default function MessagesPage() {
  return (
    <HonestPage
      page={pages.messages}
      lead="Every transaction has a chat of its own between its buyer and its seller."
      coming={[
        'All conversations in one list, the newest first, with those unread on a tab of their own.',
        'A search through names and items.',
      ]}
      today={
        <>
          <p className="text-ink-soft">
            The chat itself works: open a transaction and write there. New messages are announced by the bell.
          </p>
          <ButtonLink to={paths.dashboard} className="justify-self-start">
            Go to Your Transactions
          </ButtonLink>
        </>
      }
    />
  )
}
