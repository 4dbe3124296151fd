import { pages } from '@holdfast/contracts/pages'
import { Badge } from '../../components/badge.js'
import { ButtonLink } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { VERIFICATION_LOOKS } from './shared/verification-looks.js'

const REQUIREMENTS = [
  { title: 'Government photo ID', items: ['Clear high-resolution images', 'Readable text', 'No glare'] },
  {
    title: 'Selfie',
    items: ['Clear face', 'Good lighting', 'Looking at the camera', 'No sunglasses or face coverings'],
  },
] as const

export default function VerificationPage() {
  const { verificationStatus } = useSignedInUser()
  const status = VERIFICATION_LOOKS[verificationStatus]
  return (
    <div className="page">
      <PageHead page={pages.verification} />
      <PageHeader
        title="Identity Verification"
        lead="Verification will be required for all users. Documents cannot be sent here yet. Until the form opens, you can buy and sell without it, and what you earn stays on your balance until Holdfast has verified you."
        mark={<Badge dot={status.dot}>{status.label}</Badge>}
      />
      <h2 className="display text-xl">What you will need</h2>
      <div className="mt-4 grid gap-10 sm:grid-cols-2">
        {REQUIREMENTS.map(group => (
          <section key={group.title}>
            <h3 className="border-b border-ink pb-2 font-semibold">{group.title}</h3>
            <ul className="divide-y divide-rule">
              {group.items.map(item => (
                <li key={item} className="py-2.5 text-ink-soft">
                  {item}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="mt-6 max-w-text text-sm text-ink-soft">Documents will be encrypted and stored securely.</p>
      <div className="mt-8">
        <ButtonLink to={paths.dashboard} kind="quiet">
          Go to Dashboard
        </ButtonLink>
      </div>
    </div>
  )
}
