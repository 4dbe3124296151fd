import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function DisputeResolutionPage() {
  useTitle('Dispute Resolution')
  return (
    <div className="page">
      <PageHeader title="Dispute Resolution" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
