import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function VerificationPage() {
  useTitle('Identity Verification')
  return (
    <div className="page">
      <PageHeader title="Identity Verification" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
