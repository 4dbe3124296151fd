import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function InvitationPage() {
  useTitle('Private Listing')
  return (
    <div className="page">
      <PageHeader title="Private Listing" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
