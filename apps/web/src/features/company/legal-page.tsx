import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function LegalPage() {
  useTitle('Legal Information')
  return (
    <div className="page">
      <PageHeader title="Legal Information" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
