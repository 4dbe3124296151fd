import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function EnterprisePage() {
  useTitle('Enterprise')
  return (
    <div className="page">
      <PageHeader title="Enterprise" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
