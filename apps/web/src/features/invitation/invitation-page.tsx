import { ButtonLink } from '../../components/button.js'
import { PageMessage } from '../../components/page-message.js'
import { paths } from '../../lib/paths.js'

export default function InvitationPage() {
  return (
    <PageMessage title="Invitation Not Available" actions={<ButtonLink to={paths.home}>Back to Home</ButtonLink>}>
      Private invitations cannot be opened yet. Nothing was accepted or charged. Ask the seller to choose you as the
      buyer when they create the transaction: it then opens for the two of you alone.
    </PageMessage>
  )
}
