import { ButtonLink } from '../../components/button.js'
import { PageHeader } from '../../components/page-header.js'
import { paths } from '../../lib/paths.js'
import { useTitle } from '../../lib/use-title.js'

export default function SubscribePage() {
  useTitle('Subscribe')
  return (
    <div className="page">
      <PageHeader
        title="Unable to Process Subscription"
        back={{ to: paths.upgrade, label: 'Back to Upgrade' }}
        lead="Premium cannot be paid for yet: the card form opens here as soon as subscriptions are switched on. Nothing was charged, and your transactions run on the Standard plan as before."
      />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.upgrade}>Try Again</ButtonLink>
        <ButtonLink to={paths.support} kind="quiet">
          Contact Support
        </ButtonLink>
      </div>
    </div>
  )
}
