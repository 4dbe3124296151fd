import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { PAYOUT_ACCOUNT_WAIT_DAYS } from '@holdfast/kernel/payouts'
import { Button, ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { DeadLink } from './dead-link.js'
import { OTHER_ACCOUNT, OtherAccount } from './other-account.js'
import { refusalWords } from './shared/refusal-words.js'
import { useMailedToken } from './use-mailed-token.js'

/** Confirms with the mailed link that the user has changed their payout account. A person presses a button, after they have read the bank. */
export default function ConfirmPayoutAccountPage() {
  const token = useMailedToken()
  const account = useCall(routes.getPayoutAccount, {})
  const { give, busy, outcome } = useCommand(routes.confirmPayoutAccount, {
    whether: 'your payout account was confirmed',
    done: () => null,
    refused: error => (error.status === 410 || error.code === OTHER_ACCOUNT ? null : ['Error', refusalWords(error)]),
    refresh: () => refresh(routes.getPayouts, routes.getPayoutAccount),
  })
  const refusal = outcome?.kind === 'refused' ? outcome.error : null
  return (
    <div className="page max-w-lg">
      <PageHead page={pages.confirmPayoutAccount} />
      <PageHeader
        title="Confirm your payout account"
        lead={
          outcome?.kind === 'done'
            ? undefined
            : 'Confirm it only when you have changed it yourself, and this is your own bank account.'
        }
      />
      {outcome?.kind === 'done' ? (
        <div className="grid gap-6">
          <Notice alert title="Your payout account is confirmed">
            Payouts go on within seconds.
          </Notice>
          <ButtonLink to={paths.payouts}>Go to Payouts</ButtonLink>
        </div>
      ) : refusal?.code === OTHER_ACCOUNT ? (
        <OtherAccount />
      ) : token === null || refusal?.status === 410 ? (
        <DeadLink
          text={`A link can be used within a day, and ends when you set another password. Without it, payouts go on ${PAYOUT_ACCOUNT_WAIT_DAYS} days after the change.`}
        >
          <ButtonLink to={paths.payouts}>Go to Payouts</ButtonLink>
        </DeadLink>
      ) : (
        <QueryState
          query={account}
          errorTitle="Your payout account could not be loaded"
          loading={
            <Loading label="Loading the payout account">
              <Skeleton className="h-14 w-full" />
            </Loading>
          }
        >
          {({ bankLabel }) => (
            <div className="grid gap-6">
              <p className="border-y border-rule py-4 font-semibold">{bankLabel ?? 'No bank account'}</p>
              {bankLabel === null ? (
                <>
                  <p className="text-ink-soft">
                    The account that is signed in here has no bank account, so there is nothing to confirm. Is the mail
                    about another account? Sign in to that one, and open the link again.
                  </p>
                  <ButtonLink to={paths.payouts}>Go to Payouts</ButtonLink>
                </>
              ) : (
                <>
                  <Button busy={busy} onClick={() => void give({ body: { token } })} className="w-full">
                    {busy ? 'Confirming...' : 'This Is My Bank Account'}
                  </Button>
                  <p className="text-ink-soft">
                    If it is not, do not confirm it. Change your password, and name your own bank account on your
                    profile.
                  </p>
                </>
              )}
            </div>
          )}
        </QueryState>
      )}
    </div>
  )
}
