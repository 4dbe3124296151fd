import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function CreateListingPage() {
  useTitle('Start New Transaction')
  return (
    <div className="page">
      <PageHeader title="Start New Transaction" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
