import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function TransactionPage() {
  useTitle('Transaction')
  return (
    <div className="page">
      <PageHeader title="Transaction" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
