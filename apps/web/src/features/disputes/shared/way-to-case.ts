import type { ListedDispute } from '@holdfast/contracts/disputes'
import { paths } from '../../../lib/paths.js'

/** The way from a deal to its dispute: to the case, or to the list while the dispute is not known. */
export const wayToCase = (dispute: Pick<ListedDispute, 'id'> | undefined) =>
  dispute ? { to: paths.dispute(dispute.id), label: 'Open the case' } : { to: paths.disputes, label: 'See the dispute' }
