import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function DashboardPage() {
  useTitle('Dashboard')
  return (
    <div className="page">
      <PageHeader title="Dashboard" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
