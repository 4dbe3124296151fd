import { TextLink } from '../../../components/link.js'
import { useDisputeOf } from './use-own-disputes.js'
import { wayToCase } from './way-to-case.js'

/** A link to the latest dispute of a deal. */
export function CaseLink({ transactionId }: { transactionId: number }) {
  const { to, label } = wayToCase(useDisputeOf(transactionId))
  return <TextLink to={to}>{label}</TextLink>
}
