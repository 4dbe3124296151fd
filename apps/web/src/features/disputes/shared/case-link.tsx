import { TextLink } from '../../../components/link.js'
import { paths } from '../../../lib/paths.js'
import { useDisputeOf } from './use-own-disputes.js'

/** The way from a deal to its dispute: to the case of the latest one, or to the list while that is not known. */
export function CaseLink({ transactionId }: { transactionId: number }) {
  const dispute = useDisputeOf(transactionId)
  return (
    <TextLink to={dispute ? paths.dispute(dispute.id) : paths.disputes}>
      {dispute ? 'Open the case' : 'See the dispute'}
    </TextLink>
  )
}
