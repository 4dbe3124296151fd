import { adminRoutes } from 'virtual:admin-routes'
import type { Enquiry } from '@holdfast/contracts/enquiries'
import { pages } from '@holdfast/contracts/pages'
import type { EnquiryKind, EnquiryState } from '@holdfast/kernel/enquiries'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Badge } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Segmented } from '../../components/segmented.js'
import { paths } from '../../lib/paths.js'
import { usePages } from '../../lib/use-pages.js'
import { PagedList } from './paged-list.js'
import { SearchBox } from './search-box.js'
import { ConsolePage } from './shared/console-page.js'

const EnquiryDialog = dialogOnDemand(() => import('./acts/enquiry-dialog.js'))

const KIND_LABELS = { support: 'Support', enterprise: 'Enterprise' } as const satisfies Record<EnquiryKind, string>
const STATE_BADGES = {
  open: <Badge tone="done">Open</Badge>,
  answered: <Badge>Answered</Badge>,
  closed: 'Closed',
} as const satisfies Record<EnquiryState, unknown>

const SHOWN = [
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const

/** What people wrote to us. A search looks at all of them. */
export default function EnquiriesPage() {
  const [params] = useSearchParams()
  const q = params.get('q')
  const [shown, show] = useState<(typeof SHOWN)[number]['value']>('open')
  const [opened, open] = useState<Enquiry | null>(null)
  const query = q ? { q } : shown === 'all' ? {} : { state: shown }
  const list = usePages(adminRoutes.listEnquiries, { query })
  return (
    <ConsolePage page={pages.adminEnquiries} lead="What people wrote to support and to sales, newest first.">
      <SearchBox
        label="Find an enquiry"
        hint="By number, name or e-mail. It finds closed ones, too."
        page={paths.adminEnquiries}
      />
      {!q && <Segmented className="mb-5" legend="State" hideLegend options={SHOWN} value={shown} onChange={show} />}
      <PagedList
        caption="Enquiries"
        list={list}
        loading="Loading enquiries"
        errorTitle="The enquiries could not be loaded"
        moreErrorTitle="More enquiries could not be loaded"
        keyOf={({ id }) => id}
        open={open}
        empty={q ? 'No enquiry matches.' : 'Nothing is here.'}
        columns={[
          { label: 'No.', cell: ({ number }) => number },
          { label: 'To', cell: ({ kind }) => KIND_LABELS[kind] },
          { label: 'Subject', cell: ({ subject }) => <span className="[overflow-wrap:anywhere]">{subject}</span> },
          { label: 'From', cell: ({ name }) => <span className="[overflow-wrap:anywhere]">{name}</span> },
          { label: 'State', cell: ({ state }) => STATE_BADGES[state] },
          { label: 'Received', cell: ({ createdAt }) => <RelativeTime at={createdAt} className="whitespace-nowrap" /> },
        ]}
      />
      <EnquiryDialog open={opened !== null} close={() => open(null)} enquiry={opened} />
    </ConsolePage>
  )
}
