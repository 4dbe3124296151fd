import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function FileDisputePage() {
  useTitle('File a Dispute')
  return (
    <div className="page">
      <PageHeader title="File a Dispute" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
