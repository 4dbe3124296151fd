import { type Page, SITE_NAME } from '@holdfast/contracts/pages'
import type { ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import { Button, ButtonLink } from '../../../components/button.js'
import { PageHead } from '../../../components/page-head.js'
import { PageHeader } from '../../../components/page-header.js'
import { PageMessage } from '../../../components/page-message.js'
import { QueryState } from '../../../components/query-state.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { isStatus } from '../../../lib/api.js'
import { paths } from '../../../lib/paths.js'
import { formatDate } from '../../../lib/time.js'

interface ReceiptSheetProps<Receipt extends { readonly number: string }> {
  page: Page
  /** What `useCall` answers. */
  query: Pick<SWRResponse<Receipt, Error>, 'data' | 'error' | 'mutate'>
  /** What the sheet is: a receipt, or a payment that is not complete. */
  title: (receipt: Receipt) => string
  children: (receipt: Receipt) => ReactNode
}

/** A page to print: a receipt on the screen with a button, and on paper without the rest of the site. */
export function ReceiptSheet<Receipt extends { readonly number: string }>({
  page,
  query,
  title,
  children,
}: ReceiptSheetProps<Receipt>) {
  if (isStatus(query.error, 404))
    return (
      <PageMessage title="Receipt Not Found" actions={<ButtonLink to={paths.payouts}>Your Payments</ButtonLink>}>
        There is no such receipt, or it belongs to somebody else.
      </PageMessage>
    )
  return (
    <div className="page max-w-3xl print:max-w-none">
      <PageHead page={page} {...(query.data ? { title: `${title(query.data)} ${query.data.number}` } : {})} />
      <QueryState
        query={query}
        errorTitle="The receipt could not be loaded"
        loading={
          <Loading label="Loading receipt">
            <Skeleton className="mt-10 h-96 w-full" />
          </Loading>
        }
        page
      >
        {receipt => (
          <>
            <div className="print:hidden">
              <PageHeader
                title={title(receipt)}
                lead="Print it, or choose “Save as PDF” as the printer to keep it."
                back={{ to: paths.payouts, label: 'Back to Payments' }}
                actions={<Button onClick={() => window.print()}>Print</Button>}
              />
            </div>
            <div className="grid gap-8 print:gap-6">
              <p className="display hidden text-xl print:block">
                {SITE_NAME}: {title(receipt)} {receipt.number}
              </p>
              {children(receipt)}
              <p className="text-sm text-ink-soft">As of {formatDate(new Date())}</p>
            </div>
          </>
        )}
      </QueryState>
    </div>
  )
}
