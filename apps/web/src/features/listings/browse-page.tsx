import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function BrowsePage() {
  useTitle('Browse Items')
  return (
    <div className="page">
      <PageHeader title="Browse Items" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
