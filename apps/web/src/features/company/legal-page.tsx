import { pages } from '@holdfast/contracts/pages'
import { AddressTabs } from '../../components/address-tabs.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
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

export default function LegalPage() {
  return (
    <div className="page">
      <PageHead page={pages.legal} />
      <PageHeader title="Legal Information" lead="What you agree to, what we keep, and what happens to the money." />
      <AddressTabs label="Documents" tabs={TABS} />
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
