import { pages } from '@holdfast/contracts/pages'
import { ButtonLink } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { paths } from '../../lib/paths.js'

export default function SubscribePage() {
  return (
    <div className="page">
      <PageHead page={pages.subscribe} />
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
