import { routes } from 'virtual:routes'
import type { Obstacle } from '@holdfast/contracts/account'
import { pages } from '@holdfast/contracts/pages'
import { CLOSING_OBSTACLE_TEXTS } from '@holdfast/kernel/account'
import { Link } from 'react-router-dom'
import { Button, ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths, sections } from '../../lib/paths.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { useSignOut } from '../../lib/use-sign-out.js'
import { ProofForm, refusedProof } from './shared/proof-form.js'

const EFFECTS = [
  'You are signed out everywhere, and nobody can sign in to this account again.',
  'Your name, e-mail address, telephone number, contacts, settings and identity documents are erased. Others see “Closed account” in place of your name.',
  'Premium ends at once, and what you have paid for it is not refunded.',
  'Your listings are taken off sale. Those that never had a transaction are erased, with their pictures.',
  'Your username is never given to anybody else. With your e-mail address you can open a new account.',
] as const

const STAYS = [
  'The books of payments, without your name, and the terms of your transactions with what you signed: the law demands them.',
  'What you wrote in the chat of a transaction, in a dispute, and in reviews: the other party needs it. It stands there without your name.',
] as const

/** Closes the account. It says first what happens, and which obstacles must end before. */
export default function CloseAccountPage() {
  const query = useCall(routes.getClosing, {})
  return (
    <div className="page">
      <PageHead page={pages.closeAccount} />
      <PageHeader title="Close Your Account" lead="This cannot be taken back." />
      <div className="grid max-w-2xl gap-8">
        <Words title="What happens" items={EFFECTS} />
        <Words title="What stays" items={STAYS} />
        <p className="text-ink-soft">
          Our{' '}
          <Link to={sections.privacy} className="link">
            privacy policy
          </Link>{' '}
          says for how long. You may want to{' '}
          <Link to={paths.profile} className="link">
            export your data
          </Link>{' '}
          before.
        </p>
        <QueryState
          query={query}
          errorTitle="We could not find out whether your account can be closed"
          loading={<Waiting />}
        >
          {({ obstacles }) => (obstacles.length > 0 ? <Obstacles obstacles={obstacles} /> : <CloseForm />)}
        </QueryState>
      </div>
    </div>
  )
}

function Words({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <section>
      <h2 className="display mb-3 text-xl">{title}</h2>
      <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
        {items.map(item => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  )
}

function Obstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  return (
    <Notice tone="needs" title="Your account cannot be closed yet">
      <ul className="mt-2 grid gap-3">
        {obstacles.map(obstacle => (
          <li key={`${obstacle.kind} ${obstacle.disputeId ?? obstacle.transactionId ?? ''}`}>
            {CLOSING_OBSTACLE_TEXTS[obstacle.kind]} <WayOn obstacle={obstacle} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** A link to what can be done about an obstacle. */
function WayOn({ obstacle: { kind, transactionId, disputeId } }: { obstacle: Obstacle }) {
  const [to, words] =
    disputeId !== null
      ? [paths.dispute(disputeId), `Dispute #${disputeId}`]
      : transactionId !== null
        ? [paths.transaction(transactionId), `Transaction #${transactionId}`]
        : kind === 'negative_balance' || kind === 'admin'
          ? [sections.contact, 'Write to support']
          : [paths.payouts, 'See your payouts']
  return (
    <Link to={to} className="link whitespace-nowrap">
      {words}
    </Link>
  )
}

function CloseForm() {
  const signOut = useSignOut()
  const { give, busy } = useCommand(routes.closeAccount, {
    whether: 'your account was closed',
    done: () => ['Your account is being closed', 'A mail says when it is done.'],
    refused: refusedProof('Your account was not closed'),
    refresh: () => refresh(routes.getClosing),
    onDone: signOut,
  })
  return (
    <ProofForm give={body => give({ body })}>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="trouble" busy={busy}>
          {busy ? 'Closing...' : 'Close My Account for Good'}
        </Button>
        <ButtonLink to={paths.profile} kind="quiet">
          Keep It
        </ButtonLink>
      </div>
    </ProofForm>
  )
}

function Waiting() {
  return (
    <Loading label="Looking for what stands in the way">
      <Skeleton className="h-32 w-full rounded-lg" />
    </Loading>
  )
}
