import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense } from 'react'
import { buttonClass } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Skeleton } from '../../components/skeleton.js'
import { mailTo, SALES_EMAIL, SALES_PHONE } from '../../lib/contact.js'
import { paths } from '../../lib/paths.js'

// The form's code is large, and the page says what it is for without it.
const EnterpriseForm = lazy(() => import('./enterprise-form.js'))

const FEATURES = [
  { title: 'Custom integration', text: 'Escrow inside your own checkout, over the API that these pages use.' },
  {
    title: 'Multi-tenant architecture',
    text: 'To be agreed: your marketplaces side by side, each with books of its own.',
  },
  { title: 'Enterprise security', text: 'To be agreed: single sign-on, roles, and a record of who did what.' },
  { title: 'Priority processing', text: 'To be agreed: reviews and payouts ahead of the queue.' },
  { title: 'Dedicated support', text: 'To be agreed: one person who knows your business.' },
  { title: 'Custom features', text: 'To be agreed: what your trade needs and others do not.' },
] as const

export default function EnterprisePage() {
  return (
    <div className="page">
      <PageHead page={pages.enterprise} />
      <PageHeader
        title="Enterprise"
        lead="Escrow for marketplaces and companies that trade in volume."
        back={{ to: paths.upgrade, label: 'Back to Plans' }}
      />
      <div className="grid grid-cols-1 gap-12 lg:grid-cols-[1fr_28rem] lg:gap-16">
        <dl className="grid content-start gap-x-10 gap-y-7 sm:grid-cols-2">
          {FEATURES.map(feature => (
            <div key={feature.title}>
              <dt className="font-semibold">{feature.title}</dt>
              <dd className="mt-1 text-ink-soft">{feature.text}</dd>
            </div>
          ))}
        </dl>
        <section>
          <h2 className="display text-xl">Get Custom Pricing</h2>
          <p className="mt-2 mb-5 text-ink-soft">Tell us what you need. A person reads it, and answers by mail.</p>
          <Suspense fallback={<Skeleton className="h-160 rounded-lg" />}>
            <EnterpriseForm />
          </Suspense>
          <h3 className="mt-10 mb-3 font-semibold">Or reach us directly</h3>
          <Facts
            facts={[
              {
                label: 'Email',
                value: (
                  <a href={`mailto:${SALES_EMAIL}`} className="link">
                    {SALES_EMAIL}
                  </a>
                ),
              },
              {
                label: 'Phone',
                value: (
                  <a href={`tel:${SALES_PHONE.replace(/[^+\d]/g, '')}`} className="link">
                    {SALES_PHONE}
                  </a>
                ),
              },
            ]}
          />
          <div className="mt-5 flex flex-wrap gap-3">
            <a href={mailTo(SALES_EMAIL, 'Custom pricing')} className={buttonClass('quiet')}>
              Write to Sales
            </a>
            <a href={mailTo(SALES_EMAIL, 'Demo')} className={buttonClass('quiet')}>
              Book a Demo
            </a>
          </div>
        </section>
      </div>
    </div>
  )
}
