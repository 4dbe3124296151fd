import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function ListingPage() {
  useTitle('Listing')
  return (
    <div className="page">
      <PageHeader title="Listing" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
