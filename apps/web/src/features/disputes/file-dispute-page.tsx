import { ButtonLink } from '../../components/button.js'
import { HonestPage } from '../../components/honest-page.js'
import { paths } from '../../lib/paths.js'

export default function FileDisputePage() {
  return (
    <HonestPage
      title="File a Dispute"
      lead="Filing stops every clock of a transaction until it is settled."
      back={{ to: paths.disputeResolution, label: 'Back' }}
      coming={['Choose the transaction, say what happened, and send it to a mediator.']}
      today={
        <ButtonLink to={paths.support} className="justify-self-start">
          Contact Support
        </ButtonLink>
      }
    />
  )
}
