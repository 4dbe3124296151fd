import { routes } from 'virtual:routes'
import { TextLink } from '../../../components/link.js'
import { useSignedInUser } from '../../../lib/current-user.js'
import { paths } from '../../../lib/paths.js'
import { useCall } from '../../../lib/use-call.js'

/** The way from a deal to its dispute: to the case of the latest one, or to the list while that is not known. */
export function CaseLink({ transactionId }: { transactionId: number }) {
  const { id: userId } = useSignedInUser()
  const { data } = useCall(routes.listDisputesOfUser, { params: { userId } })
  const dispute = data?.find(each => each.transactionId === transactionId)
  return (
    <TextLink to={dispute ? paths.dispute(dispute.id) : paths.disputes}>
      {dispute ? 'Open the case' : 'See the dispute'}
    </TextLink>
  )
}
