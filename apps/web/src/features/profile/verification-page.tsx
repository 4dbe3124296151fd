import { pages } from '@holdfast/contracts/pages'
import { Badge } from '../../components/badge.js'
import { ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Panel } from '../../components/panel.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { VERIFICATION_LOOKS } from './shared/verification-looks.js'
import { VerificationForm } from './verification-form.js'

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
        lead="Verification is required for all users before they are paid out. You can buy and sell now, and what you earn stays on your balance until you are verified."
        mark={<Badge dot={status.dot}>{status.label}</Badge>}
      />
      <div className="grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-16">
        <Step />
        {verificationStatus !== 'approved' && <Requirements />}
      </div>
    </div>
  )
}

/** What the user can do, or what happens next. */
function Step() {
  const { verificationStatus, verificationReason } = useSignedInUser()
  switch (verificationStatus) {
    case 'approved':
      return (
        <Notice
          title="Verification Complete"
          action={
            <>
              <ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>
              <ButtonLink to={paths.payouts} kind="quiet">
                See Payouts
              </ButtonLink>
            </>
          }
        >
          Your identity is verified. Others see the mark beside your name, and what you earn can be paid out.
        </Notice>
      )
    case 'submitted':
      return (
        <Notice
          title="Under Review"
          action={
            <ButtonLink to={paths.dashboard} kind="quiet">
              Go to Dashboard
            </ButtonLink>
          }
        >
          A person checks your documents. The review takes 1-2 business days, and an email follows.
        </Notice>
      )
    default:
      return (
        <div className="grid gap-6">
          {verificationReason !== null && (
            <Notice tone="trouble" title="Your documents were rejected">
              <span className="typed">{verificationReason}</span> You can send new ones below.
            </Notice>
          )}
          <VerificationForm />
        </div>
      )
  }
}

function Requirements() {
  return (
    <Panel>
      <h2 className="display text-xl">Requirements</h2>
      {REQUIREMENTS.map(({ title, items }) => (
        <section key={title} className="mt-4">
          <h3 className="font-semibold">{title}</h3>
          <ul className="mt-1 list-disc pl-5 text-ink-soft">
            {items.map(item => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      ))}
      <p className="mt-5 border-t border-rule pt-4 text-sm text-ink-soft">
        Your documents are encrypted and stored securely. Only the people who review them can see them, each look is
        kept on record, and they are deleted some time after the decision.
      </p>
    </Panel>
  )
}
