import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function SupportPage() {
  useTitle('Support Center')
  return (
    <div className="page">
      <PageHeader title="Support Center" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
