import { useSearchParams } from 'react-router-dom'
import { PageHeader } from '../../components/page-header.js'
import { Tabs } from '../../components/tabs.js'
import { useTitle } from '../../lib/use-title.js'
import {
  DISPUTE_POLICY,
  ESCROW,
  LEGAL_CONTACTS,
  type LegalSection,
  PRIVACY,
  PROHIBITED_ITEMS,
  STANDARDS,
  TERMS,
} from './legal-documents.js'
import { ProseList, ProseSection } from './prose.js'

const TABS = [
  { value: 'terms', label: 'Terms of Service', content: <Document sections={TERMS} updated="December 2024" /> },
  { value: 'privacy', label: 'Privacy Policy', content: <Document sections={PRIVACY} /> },
  { value: 'escrow', label: 'Escrow Terms', content: <Document sections={ESCROW} /> },
  { value: 'disputes', label: 'Dispute Policy', content: <Document sections={DISPUTE_POLICY} /> },
  { value: 'compliance', label: 'Compliance', content: <Compliance /> },
] as const
type LegalTab = (typeof TABS)[number]['value']

export default function LegalPage() {
  useTitle('Legal Information')
  const [params, setParams] = useSearchParams()
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'terms'
  return (
    <div className="page">
      <PageHeader title="Legal Information" lead="What you agree to, what we keep, and what happens to the money." />
      <Tabs<LegalTab>
        label="Documents"
        tabs={TABS}
        value={tab}
        onChange={value => setParams({ tab: value }, { replace: true, preventScrollReset: true })}
      />
    </div>
  )
}

function Document({ sections, updated }: { sections: readonly LegalSection[]; updated?: string }) {
  return (
    <>
      {updated && <p className="mb-4 text-sm text-ink-soft">Last updated {updated}</p>}
      {sections.map(section => (
        <ProseSection key={section.title} title={section.title} {...(section.id ? { id: section.id } : {})}>
          {section.paragraphs?.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {section.items && <ProseList items={section.items} />}
        </ProseSection>
      ))}
    </>
  )
}

function Compliance() {
  return (
    <>
      {STANDARDS.map(group => (
        <ProseSection key={group.title} title={group.title}>
          <ProseList items={group.items} />
        </ProseSection>
      ))}
      <ProseSection title="Prohibited items">
        <ProseList items={PROHIBITED_ITEMS} />
      </ProseSection>
      <ProseSection title="Contact">
        <dl className="grid gap-2">
          {LEGAL_CONTACTS.map(contact => (
            <div key={contact.label} className="flex flex-wrap gap-x-3">
              <dt className="w-36">{contact.label}</dt>
              <dd>
                <a href={`mailto:${contact.email}`} className="link">
                  {contact.email}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </ProseSection>
    </>
  )
}
