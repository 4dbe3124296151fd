import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function LandingPage() {
  useTitle('Holdfast')
  return (
    <div className="page">
      <PageHeader title="Holdfast" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
