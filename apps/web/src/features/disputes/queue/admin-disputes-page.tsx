import { pages } from '@holdfast/contracts/pages'
import { ConsolePage } from '../../admin/shared/console-page.js'
import { DisputeQueue } from './dispute-queue.js'

/** The mediators' disputes. The router shows it to admins only. */
export default function DisputeQueuePage() {
  return (
    <ConsolePage
      page={pages.adminDisputes}
      lead="The earliest time limit comes first. Cases that wait for a bank come last."
    >
      <DisputeQueue />
    </ConsolePage>
  )
}
