import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function ItemShippedPage() {
  useTitle('Item Shipped')
  return (
    <div className="page">
      <PageHeader title="Item Shipped" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
