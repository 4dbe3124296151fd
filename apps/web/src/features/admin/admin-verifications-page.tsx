import { adminRoutes } from 'virtual:admin-routes'
import { pages } from '@holdfast/contracts/pages'
import type { VerificationCase } from '@holdfast/contracts/verification'
import { useState } from 'react'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { RelativeTime } from '../../components/relative-time.js'
import { fullName } from '../../lib/current-user.js'
import { usePages } from '../../lib/use-pages.js'
import { PagedList } from './paged-list.js'
import { ConsolePage } from './shared/console-page.js'

const VerificationDialog = dialogOnDemand(() => import('./acts/verification-dialog.js'))

/** The identity documents that wait for a decision. */
export default function VerificationsPage() {
  const [opened, open] = useState<VerificationCase | null>(null)
  const list = usePages(adminRoutes.listVerifications, { query: {} })
  return (
    <ConsolePage page={pages.adminVerifications} lead="Identity documents that wait for a decision, oldest first.">
      <PagedList
        caption="Verifications"
        list={list}
        loading="Loading verifications"
        errorTitle="The verifications could not be loaded"
        moreErrorTitle="More verifications could not be loaded"
        keyOf={({ submissionId }) => submissionId}
        open={open}
        empty="No documents wait for a review."
        columns={[
          { label: 'User', cell: ({ username }) => `@${username}` },
          { label: 'Name', cell: user => <span className="[overflow-wrap:anywhere]">{fullName(user)}</span> },
          { label: 'E-mail', cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email}</span> },
          {
            label: 'Submitted',
            cell: ({ submittedAt }) => <RelativeTime at={submittedAt} className="whitespace-nowrap" />,
          },
        ]}
      />
      <VerificationDialog open={opened !== null} close={() => open(null)} waiting={opened} />
    </ConsolePage>
  )
}
