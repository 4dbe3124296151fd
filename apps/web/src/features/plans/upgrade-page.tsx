import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function UpgradePage() {
  useTitle('Upgrade')
  return (
    <div className="page">
      <PageHeader title="Upgrade" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
