import { useSearchParams } from 'react-router-dom'
import { PageHeader } from '../../components/page-header.js'
import { Tabs } from '../../components/tabs.js'
import { useTitle } from '../../lib/use-title.js'
import { ContactTab } from './contact-tab.js'
import { FaqTab } from './faq-tab.js'
import { GUIDES } from './guides.js'

const TABS = [
  { value: 'faq', label: 'FAQ', content: <FaqTab /> },
  { value: 'guides', label: 'Guides', content: <GuidesTab /> },
  { value: 'contact', label: 'Contact', content: <ContactTab /> },
] as const
type SupportTab = (typeof TABS)[number]['value']

export default function SupportPage() {
  useTitle('Support Center')
  const [params, setParams] = useSearchParams()
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'faq'
  return (
    <div className="page">
      <PageHeader title="Support Center" lead="Answers first; people when they do not do." />
      <Tabs<SupportTab>
        label="Kinds of help"
        tabs={TABS}
        value={tab}
        onChange={value => setParams({ tab: value }, { replace: true, preventScrollReset: true })}
      />
    </div>
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
