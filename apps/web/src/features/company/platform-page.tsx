import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function PlatformPage() {
  useTitle('How It Works')
  return (
    <div className="page">
      <PageHeader title="How It Works" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
