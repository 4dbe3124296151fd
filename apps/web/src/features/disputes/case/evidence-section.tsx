import type { Evidence } from '@holdfast/contracts/disputes'
import { lazy, Suspense, useState } from 'react'
import { Lightbox, type ShownPicture } from '../../../components/lightbox.js'
import { Picture } from '../../../components/picture.js'
import { Skeleton } from '../../../components/skeleton.js'
import { formatDateTime } from '../../../lib/time.js'
import { type CaseProps, may } from './case.js'
import { ROLE_NAMES } from './case-labels.js'
import { type CasePeople, capital, nameOf } from './people.js'

// Only a party who may add something needs the form.
const EvidenceForm = lazy(() => import('./evidence-form.js'))

const THUMBNAIL_SIZES = '8rem'

/** What both sides have added, oldest first, and the form for more. */
export function EvidenceSection({ dispute }: CaseProps) {
  const [shown, setShown] = useState<number | null>(null)
  const pictures = dispute.evidence.flatMap(entry => picturesOf(entry, dispute))
  const show = (n: number, index: number) => setShown(pictures.findIndex(each => each.n === n && each.index === index))
  return (
    <section id="evidence" tabIndex={-1} aria-labelledby="evidence-title" className="scroll-mt-20 outline-none">
      <h2 id="evidence-title" className="display text-xl">
        Evidence
      </h2>
      <p className="mt-1 max-w-text text-sm text-ink-soft">
        Only the buyer, the seller and mediators read this. Entries are chained: nothing can be changed or removed.
      </p>
      {dispute.evidence.length === 0 ? (
        <p className="mt-4 text-ink-soft">
          {dispute.status === 'closed' ? 'Neither side added anything.' : 'Neither side has added anything yet.'}
        </p>
      ) : (
        <ol className="mt-4 divide-y divide-rule border-y border-rule">
          {dispute.evidence.map(entry => (
            <li key={entry.n}>
              <Entry entry={entry} people={dispute} onShow={index => show(entry.n, index)} />
            </li>
          ))}
        </ol>
      )}
      {may(dispute, 'addEvidence') && (
        <div className="mt-6">
          <Suspense fallback={<Skeleton className="h-56 w-full" />}>
            <EvidenceForm dispute={dispute} />
          </Suspense>
        </div>
      )}
      <Lightbox pictures={pictures} shown={shown} onShow={setShown} />
    </section>
  )
}

interface EntryProps {
  entry: Evidence
  people: CasePeople
  onShow: (index: number) => void
}

function Entry({ entry, people, onShow }: EntryProps) {
  const { n, role, note, images, at } = entry
  return (
    <article className="py-4">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span>
          <span className="figures">{n}.</span> <span className="font-semibold text-ink">{authorOf(role, people)}</span>
        </span>
        <time dateTime={at} className="figures">
          {formatDateTime(new Date(at))}
        </time>
      </p>
      <p className="mt-1 max-w-text typed">{note}</p>
      {images.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {images.map(({ url, sha256 }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries never change, and the same picture may be there twice
            <li key={index}>
              <button
                type="button"
                aria-label={`Enlarge picture ${index + 1} of entry ${n}`}
                onClick={() => onShow(index)}
                className="block cursor-zoom-in overflow-hidden rounded-md border border-rule hover:border-ink"
              >
                <Picture src={url} alt="" sizes={THUMBNAIL_SIZES} className="h-20 w-30" />
              </button>
              <span className="sr-only">SHA-256 {sha256}</span>
            </li>
          ))}
        </ul>
      )}
      <Hash entry={entry} />
    </article>
  )
}

/** The proof that the list is complete, for those who want to check it. */
function Hash({ entry: { sha256, previousSha256, images } }: { entry: Evidence }) {
  return (
    <details className="mt-2 text-sm text-ink-soft">
      <summary className="w-fit">
        SHA-256 <span className="font-mono text-xs">{sha256.slice(0, 12)}…</span>
      </summary>
      <dl className="mt-1 grid gap-1 border-l border-edge pl-3 text-xs">
        <HashLine label="This entry" hash={sha256} />
        <HashLine label="The entry before it" hash={previousSha256 ?? 'none, this is the first'} />
        {images.map((image, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never change, and the same picture may be there twice
          <HashLine key={index} label={`Picture ${index + 1}`} hash={image.sha256} />
        ))}
      </dl>
    </details>
  )
}

function HashLine({ label, hash }: { label: string; hash: string }) {
  return (
    <div>
      <dt className="inline">{label}: </dt>
      <dd className="inline font-mono">{hash}</dd>
    </div>
  )
}

const authorOf = (role: Evidence['role'], people: CasePeople): string =>
  role === 'mediator' ? 'A mediator' : `${capital(nameOf(role, people))} (${ROLE_NAMES[role]})`

interface EvidencePicture extends ShownPicture {
  /** The entry it belongs to, and its position in the entry. */
  readonly n: number
  readonly index: number
}

const picturesOf = ({ n, role, images, at }: Evidence, people: CasePeople): EvidencePicture[] =>
  images.map(({ url }, index) => ({
    url,
    n,
    index,
    caption: `Entry ${n}, ${authorOf(role, people)}, ${formatDateTime(new Date(at))}`,
  }))
