import type { ReactNode } from 'react'
import { idsIn, isId, KnownNames, shortId, UserName } from './names.js'
import { AccountLink, SubjectLink } from './subject-link.js'
import { GUARDED_WORDS, PROVIDER_EVENT_WORDS } from './words.js'

interface FactsListProps {
  title: string
  facts: Facts | null
}
type Facts = Readonly<Record<string, unknown>>

/** Facts that the server kept, with labels. Users stand there by name, other ids by their end. */
export function FactsList({ title, facts }: FactsListProps) {
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-semibold text-ink-soft">{title}</h3>
      {facts === null ? (
        <p className="text-sm text-ink-soft">Nothing</p>
      ) : (
        <KnownNames ids={idsIn(JSON.stringify(facts))}>
          <dl className="text-sm">
            {Object.entries(facts).map(([name, value]) => (
              <div key={name} className="flex flex-wrap gap-x-2">
                <dt className="text-ink-soft">{labelOf(name)}</dt>
                <dd className="figures min-w-0 [overflow-wrap:anywhere]">{shownValue(name, value)}</dd>
              </div>
            ))}
          </dl>
        </KnownNames>
      )}
    </div>
  )
}

/** The labels that are not the fact's name in words. */
const LABELS: Readonly<Record<string, string>> = {
  transactionId: 'Transaction',
  payoutId: 'Payout',
  refundId: 'Refund',
  approvalId: 'Request',
  entryId: 'Entry',
  eventId: 'Event',
  askedBecause: 'Reason of the request',
  providerRefundId: 'At the provider',
  verificationStatus: 'Verification',
  kind: 'Act',
  subject: 'On',
  group: 'Failed in',
  open: 'Not replayed',
  replayRequested: 'Replays asked for',
}

/** A fact may be named by an account: its balance before or after an adjustment. */
function labelOf(name: string): ReactNode {
  if (isAccount(name)) return <AccountLink account={name} />
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** How a fact is shown, by its name, when it is more than its text. */
const VALUES: Readonly<Record<string, (value: string) => ReactNode>> = {
  transactionId: id => <SubjectLink subject={`transaction:${id}`} />,
  payoutId: id => <SubjectLink subject={`payout:${id}`} />,
  refundId: id => <SubjectLink subject={`refund:${id}`} />,
  approvalId: id => <SubjectLink subject={`approval:${id}`} />,
  subject: subject => <SubjectLink subject={subject} />,
  askedBy: id => <UserName id={id} />,
  debit: account => <AccountLink account={account} />,
  credit: account => <AccountLink account={account} />,
  kind: kind => (GUARDED_WORDS as Readonly<Record<string, string>>)[kind] ?? kind,
  status: words,
  state: words,
  outcome: words,
  why: why => (PROVIDER_EVENT_WORDS as Readonly<Record<string, string>>)[why] ?? why,
}

function shownValue(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'string' && typeof value !== 'number') return JSON.stringify(value)
  const text = String(value)
  return VALUES[name]?.(text) ?? (isId(text) ? <span title={text}>{shortId(text)}</span> : text)
}

function words(code: string): string {
  return code.replaceAll('_', ' ')
}

const isAccount = (name: string): boolean => name.includes(':') || name.includes('_') || name === 'revenue'
