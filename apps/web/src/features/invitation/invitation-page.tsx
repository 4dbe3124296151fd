import { ButtonLink } from '../../components/button.js'
import { PageHeader } from '../../components/page-header.js'
import { paths } from '../../lib/paths.js'
import { useTitle } from '../../lib/use-title.js'

export default function InvitationPage() {
  useTitle('Invitation Not Available')
  return (
    <div className="page">
      <PageHeader
        title="Invitation Not Available"
        lead="Private invitations cannot be opened yet. Nothing was accepted or charged. Ask the seller to choose you as the buyer when they create the transaction: it then opens for the two of you alone."
      />
      <ButtonLink to={paths.home}>Back to Home</ButtonLink>
    </div>
  )
}
