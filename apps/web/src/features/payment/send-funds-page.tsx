import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function SendFundsPage() {
  useTitle('Secure Payment')
  return (
    <div className="page">
      <PageHeader title="Secure Payment" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
