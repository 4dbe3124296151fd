import { pages } from '@holdfast/contracts/pages'
import { PageHead } from '../../../components/page-head.js'
import { PageHeader } from '../../../components/page-header.js'
import { DisputeQueue } from './dispute-queue.js'

/** The mediators' disputes. The router shows it to admins only. */
export default function DisputeQueuePage() {
  return (
    <div className="page">
      <PageHead page={pages.adminDisputes} />
      <PageHeader
        title="Disputes"
        lead="The earliest time limit comes first. Press j and k to move, and Enter to open."
      />
      <DisputeQueue />
    </div>
  )
}
