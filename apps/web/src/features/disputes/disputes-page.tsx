import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function DisputesPage() {
  useTitle('Disputes')
  return (
    <div className="page">
      <PageHeader title="Disputes" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
