import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { setNeedsSecondFactor } from '../../lib/admin-second-factor.js'
import SecuritySection from './shared/security-section.js'

const TITLE = 'Set up your second factor'

/** In place of every page of admins, until the admin has signed in with a second factor. */
export default function AdminSetUp() {
  return (
    <div className="page">
      <PageHead page={{ title: TITLE }} />
      <PageHeader
        title={TITLE}
        lead="Admins move other people’s money, so they sign in with a second factor. When you have one, this page opens."
      />
      <SecuritySection onReady={() => setNeedsSecondFactor(false)} />
    </div>
  )
}
