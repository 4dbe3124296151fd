import { adminRoutes } from 'virtual:admin-routes'
import type { AdjustmentPreview as Preview } from '@holdfast/contracts/admin-escrow'
import { ApiError } from '@holdfast/http-client/api-error'
import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { Money } from '../../../components/money.js'
import { useCall } from '../../../lib/use-call.js'
import { useDebounced } from '../../../lib/use-debounced.js'

/** An entry that may be posted by hand, without its reason. */
export interface Entry {
  readonly debit: string
  readonly credit: string
  readonly amount: string
}

interface PreviewState {
  /** What the server says that the entry would do; undefined while it is not known. */
  readonly answer: Preview | undefined
  /** What is wrong, by field. */
  readonly faults: Readonly<Partial<Record<keyof Entry, string>>>
  /** Why there is no answer, when no field is the reason. */
  readonly failure: string | null
  readonly isAsked: boolean
}

/** While an operator types, the server is asked when the text has stood still for this long. */
const TYPING_MS = 300

/** What the server says about an entry before it is posted, whoever asked for it. It refuses what it would refuse to post. */
export function usePreview(entry: Entry | null): PreviewState {
  const text = entry && JSON.stringify(entry)
  const settled = useDebounced(text, TYPING_MS)
  const asked = settled !== null && settled === text ? entry : null
  const { data, error } = useCall(
    adminRoutes.previewAdjustment,
    asked && { query: { ...asked, currency: DEAL_CURRENCY } },
    // A balance changes without a sign on this page.
    { dedupingInterval: 0 },
  )
  const faults = error instanceof ApiError ? error.fields : {}
  const failure = error && Object.keys(faults).length === 0 ? failureOf(error) : null
  return { answer: data, faults, failure, isAsked: entry !== null }
}

const failureOf = (error: Error): string =>
  error instanceof ApiError && error.code === 'FORBIDDEN'
    ? 'It would move your own balance, so another admin must post it.'
    : `The balances could not be loaded. ${error instanceof ApiError ? error.serverMessage : ''}`.trim()

/** Both accounts before and after an entry. */
export function AdjustmentPreview({ preview: { answer, faults, failure, isAsked } }: { preview: PreviewState }) {
  return (
    <div className="min-h-24 rounded-md bg-sunken p-3 text-sm" aria-live="polite">
      {answer ? <Balances answer={answer} /> : <p>{wordsWithout(faults, failure, isAsked)}</p>}
    </div>
  )
}

function wordsWithout(faults: PreviewState['faults'], failure: string | null, isAsked: boolean): string {
  if (failure) return failure
  if (Object.keys(faults).length > 0) return 'This entry cannot be posted: see above.'
  return isAsked ? 'The balances are being read.' : 'Name both accounts and the amount to see their balances.'
}

function Balances({ answer: { debit, credit, currency } }: { answer: Preview }) {
  return (
    <table className="w-full">
      <caption className="sr-only">Balances before and after</caption>
      <thead>
        <tr className="text-left text-xs text-ink-soft">
          <th scope="col" className="pb-1 font-semibold">
            Balance of
          </th>
          <th scope="col" className="pb-1 text-right font-semibold">
            Now
          </th>
          <th scope="col" className="pb-1 text-right font-semibold">
            Afterwards
          </th>
        </tr>
      </thead>
      <tbody>
        {[debit, credit].map(({ account, before, after }) => (
          <tr key={account} className="align-top">
            <th scope="row" className="py-0.5 pr-3 text-left font-normal [overflow-wrap:anywhere]">
              {account}
            </th>
            <td className="py-0.5 text-right">
              <Money amount={before} currency={currency} />
            </td>
            <td className="py-0.5 pl-3 text-right font-semibold">
              <Money amount={after} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
