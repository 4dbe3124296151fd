import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense } from 'react'
import { AddressTabs } from '../../components/address-tabs.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Skeleton } from '../../components/skeleton.js'
import { FaqTab } from './faq-tab.js'
import { GUIDES } from './guides.js'

// The form's code is loaded when its tab is opened.
const ContactTab = lazy(() => import('./contact-tab.js'))

const TABS = [
  { value: 'faq', label: 'FAQ', content: <FaqTab /> },
  { value: 'guides', label: 'Guides', content: <GuidesTab /> },
  { value: 'contact', label: 'Contact', content: <ContactForm /> },
] as const

export default function SupportPage() {
  return (
    <div className="page">
      <PageHead page={pages.support} />
      <PageHeader title="Support Center" lead="Look for an answer here, or write to us." />
      <AddressTabs label="Kinds of help" tabs={TABS} />
    </div>
  )
}

function ContactForm() {
  return (
    <Suspense fallback={<Skeleton className="h-96 max-w-text rounded-lg" />}>
      <ContactTab />
    </Suspense>
  )
}

function GuidesTab() {
  return (
    <div className="grid gap-x-12 gap-y-10 sm:grid-cols-2">
      {GUIDES.map(guide => (
        <section key={guide.title}>
          <h2 className="border-b border-ink pb-2 font-semibold">{guide.title}</h2>
          <ol className="divide-y divide-rule">
            {guide.items.map((item, index) => (
              <li key={item} className="flex gap-3 py-2.5 text-ink-soft">
                <span className="figures text-ink-faint">{index + 1}</span>
                {item}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}
