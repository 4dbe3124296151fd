import { adminRoutes } from 'virtual:admin-routes'
import type { DisputeFile } from '@holdfast/contracts/disputes'
import { type AcceptanceAct, PARTY_ROLES } from '@holdfast/kernel/deals'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { SWRResponse } from 'swr'
import { buttonClass } from '../../../components/button.js'
import { Facts } from '../../../components/facts.js'
import { Lightbox } from '../../../components/lightbox.js'
import { Money } from '../../../components/money.js'
import { Picture } from '../../../components/picture.js'
import { QueryState } from '../../../components/query-state.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { formatDateTime } from '../../../lib/time.js'
import { ChatPictures, picturesOf } from '../../deal/shared/chat-pictures.js'
import { type CaseProps, paramsOf } from './case.js'

/** What a mediator reads of the deal: the frozen terms and who accepted them, the parcel, and the chat. */
export default function DealFile({ dispute, query }: CaseProps & { query: SWRResponse<DisputeFile, Error> }) {
  return (
    <section id="deal" tabIndex={-1} aria-labelledby="deal-title" className="grid scroll-mt-20 gap-8 outline-none">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="deal-title" className="display text-xl">
          The transaction
        </h2>
        <a
          href={adminRoutes.getDisputeFile.path.replace('{id}', paramsOf(dispute).id)}
          download={`dispute-${dispute.id}.json`}
          className={buttonClass('quiet', 'sm')}
        >
          <Download aria-hidden="true" className="size-4" />
          Download Everything
        </a>
      </div>
      <QueryState query={query} errorTitle="The transaction could not be loaded" loading={<FileSkeleton />}>
        {file => (
          <>
            <Terms file={file} />
            <Parcel file={file} />
            <Chat file={file} />
          </>
        )}
      </QueryState>
    </section>
  )
}

interface FileProps {
  file: DisputeFile
}

const ACTS: Record<AcceptanceAct, string> = { signing: 'by signing', paying: 'by paying', shipping: 'by shipping' }

function Terms({ file: { transaction, dispute } }: FileProps) {
  const [shown, setShown] = useState<number | null>(null)
  const { listing, acceptances, termsHash } = transaction
  const pictures = listing.images.map((url, index) => ({
    url,
    n: 0,
    index,
    caption: 'From the terms of the transaction',
  }))
  return (
    <div>
      <h3 className="mb-2 font-semibold">Terms, as they were accepted</h3>
      <Facts
        facts={[
          { label: 'Price', value: <Money amount={listing.price} currency={listing.currency} /> },
          { label: 'Condition', value: listing.condition },
          { label: 'Inspection', value: inspectionTerm(listing.inspectionPeriod) },
          { label: 'Returns', value: RETURN_POLICY_LABELS[listing.returnPolicy] },
          ...PARTY_ROLES.map(party => ({
            label: `Accepted by ${dispute[party].firstName}`,
            value: <Acceptance acts={acceptances.filter(each => each.party === party)} />,
          })),
        ]}
      />
      <p className="mt-3 max-w-text typed">{listing.description}</p>
      {listing.images.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {listing.images.map((url, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the terms never change, and the same picture may be there twice
            <li key={index}>
              <button
                type="button"
                aria-label={`Enlarge picture ${index + 1} of the terms`}
                onClick={() => setShown(index)}
                className="block cursor-zoom-in overflow-hidden rounded-md border border-rule hover:border-ink"
              >
                <Picture src={url} alt="" sizes="8rem" className="h-20 w-30" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        SHA-256 <span className="font-mono text-xs break-all">{termsHash}</span>
      </p>
      <Lightbox pictures={pictures} shown={shown} onShow={setShown} />
    </div>
  )
}

/** One party’s acceptance. A seller who has signed the terms accepts the same terms again by shipping: that is one fact. */
function Acceptance({ acts }: { acts: DisputeFile['transaction']['acceptances'] }) {
  if (acts.length === 0) return 'Not yet'
  return acts.map(({ by, at }, index) => (
    <span key={by} className="block">
      {index > 0 && 'again '}
      {ACTS[by]}, {formatDateTime(new Date(at))}
    </span>
  ))
}

function Parcel({
  file: {
    transaction: { parcel },
  },
}: FileProps) {
  return (
    <div>
      <h3 className="mb-2 font-semibold">Parcel</h3>
      {parcel ? (
        <Facts
          facts={[
            { label: 'Tracking Number', value: <span className="figures">{parcel.trackingNumber}</span> },
            { label: 'Carrier', value: parcel.carrier ?? 'Not specified' },
            { label: 'Last scan', value: scanWords(parcel) },
            {
              label: 'Delivered',
              value: parcel.deliveredAt ? formatDateTime(new Date(parcel.deliveredAt)) : 'Not yet',
            },
          ]}
        />
      ) : (
        <p className="text-ink-soft">No tracking number was entered.</p>
      )}
    </div>
  )
}

const scanWords = ({
  statusDescription,
  location,
  lastUpdate,
}: NonNullable<DisputeFile['transaction']['parcel']>): string =>
  [statusDescription, location, lastUpdate && formatDateTime(new Date(lastUpdate))].filter(Boolean).join(', ') || 'None'

function Chat({ file: { messages, dispute } }: FileProps) {
  const [shown, setShown] = useState<string | null>(null)
  const pictures = picturesOf(
    messages,
    ({ senderId, createdAt }) => `${senderName(senderId, dispute)}, ${formatDateTime(new Date(createdAt))}`,
  )
  const index = pictures.findIndex(({ url }) => url === shown)
  return (
    <div>
      <h3 className="mb-2 font-semibold">Chat</h3>
      {messages.length === 0 ? (
        <p className="text-ink-soft">Nothing was written.</p>
      ) : (
        <ol
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label="Chat of the transaction"
          className="grid max-h-96 gap-3 overflow-y-auto rounded-lg border border-rule p-4"
        >
          {messages.map(({ id, senderId, content, images, createdAt }) => (
            <li key={id}>
              <p className="text-xs text-ink-soft">
                {senderName(senderId, dispute)}, {formatDateTime(new Date(createdAt))}
              </p>
              {content !== '' && <p className="typed">{content}</p>}
              <ChatPictures urls={images.map(({ url }) => url)} by={senderName(senderId, dispute)} onShow={setShown} />
            </li>
          ))}
        </ol>
      )}
      <Lightbox
        pictures={pictures}
        shown={index < 0 ? null : index}
        onShow={next => setShown(next === null ? null : (pictures[next]?.url ?? null))}
      />
    </div>
  )
}

const senderName = (id: string | null, { buyer, seller }: DisputeFile['dispute']): string =>
  id === buyer.id ? `${buyer.firstName} (buyer)` : id === seller.id ? `${seller.firstName} (seller)` : 'Holdfast'

function FileSkeleton() {
  return (
    <Loading label="Loading the transaction">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="mt-6 h-40 w-full" />
    </Loading>
  )
}
