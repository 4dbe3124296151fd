import { ButtonLink } from '../../components/button.js'
import { HonestPage } from '../../components/honest-page.js'
import { paths } from '../../lib/paths.js'

export default function DisputesPage() {
  return (
    <HonestPage
      title="Disputes"
      lead="When a deal goes wrong, a mediator looks at it, and the money stays where it is."
      coming={['Your disputes with their state, the mediator’s notes and the outcome.', 'Filing a new one from here.']}
      today={
        <>
          <p className="text-ink-soft">How disputes are decided, and what helps as evidence.</p>
          <ButtonLink to={paths.disputeResolution} className="justify-self-start">
            Dispute Resolution
          </ButtonLink>
        </>
      }
    />
  )
}
