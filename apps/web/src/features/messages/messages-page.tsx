import { PageHeader } from '../../components/page-header.js'
import { useTitle } from '../../lib/use-title.js'

export default function MessagesPage() {
  useTitle('Messages')
  return (
    <div className="page">
      <PageHeader title="Messages" lead="This screen is on its way. Nothing here moves money yet." />
    </div>
  )
}
