import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function ProfilePage() {
  useTitle('Profile')
  return (
    <div className="page">
      <PageHeader title="Profile" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
