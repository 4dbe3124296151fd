import { pages } from '@holdfast/contracts/pages'
import { ConsoleFrame } from '../../admin/shared/console-frame.js'
import { DisputeQueue } from './dispute-queue.js'

/** The mediators' disputes. The router shows it to admins only. */
export default function DisputeQueuePage() {
  return (
    <ConsoleFrame
      page={pages.adminDisputes}
      lead="The earliest time limit comes first. Cases that wait for a bank come last."
    >
      <DisputeQueue />
    </ConsoleFrame>
  )
}
