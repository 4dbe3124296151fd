import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function SubscribePage() {
  useTitle('Subscribe')
  return (
    <div className="page">
      <PageHeader title="Subscribe" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
