import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { Button, ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { refreshCurrentUser, useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { DeadLink } from './dead-link.js'
import { OTHER_ACCOUNT, OtherAccount } from './other-account.js'
import { refusalWords } from './shared/refusal-words.js'
import { useMailedToken } from './use-mailed-token.js'

/**
 * Confirms an e-mail address, with the token of the mailed link. A person presses a button, because some mail programs open every link
 * to check it: that alone must not use the token.
 */
export default function ConfirmEmailPage() {
  const token = useMailedToken()
  const { user } = useSession()
  const { give, busy, outcome } = useCommand(routes.confirmEmail, {
    whether: 'your address was confirmed',
    done: () => null,
    refused: error => (error.status === 410 || error.code === OTHER_ACCOUNT ? null : ['Error', refusalWords(error)]),
    refresh: refreshCurrentUser,
  })
  const isDone = outcome?.kind === 'done'
  const isOfAnother = outcome?.kind === 'refused' && outcome.error.code === OTHER_ACCOUNT
  const isDead = token === null || (outcome?.kind === 'refused' && outcome.error.status === 410)
  return (
    <div className="page max-w-lg">
      <PageHead page={pages.confirmEmail} />
      <PageHeader
        title="Confirm your address"
        lead={isDone ? undefined : 'So that we reach you when money of yours moves.'}
      />
      {isDone ? (
        <div className="grid gap-6">
          <Notice alert title="Your address is confirmed">
            Thank you. There is nothing more to do.
          </Notice>
          <ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>
        </div>
      ) : isOfAnother ? (
        <OtherAccount />
      ) : isDead && user?.emailConfirmed ? (
        <DeadLink
          text={
            <>
              The address of your account is <strong className="break-words">{user.email}</strong>, and it is confirmed.
              To use another one, change it on your profile.
            </>
          }
        >
          <ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>
        </DeadLink>
      ) : isDead ? (
        <DeadLink text="A link can be used within a day. If your address is confirmed already, there is nothing more to do.">
          <ButtonLink to={paths.dashboard}>Send a New Link from the Dashboard</ButtonLink>
        </DeadLink>
      ) : (
        <Button busy={busy} onClick={() => void give({ body: { token } })} className="w-full">
          {busy ? 'Confirming...' : 'Confirm This Address'}
        </Button>
      )}
    </div>
  )
}
