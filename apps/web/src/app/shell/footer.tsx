import { Link } from 'react-router-dom'
import { paths, sections } from '../../lib/paths.js'
import { BrandMark } from './brand.js'
import { ThemeSwitch } from './theme-switch.js'

const GROUPS = [
  {
    title: 'Platform',
    links: [
      { to: sections.howItWorks, label: 'How It Works' },
      { to: sections.fees, label: 'Fees' },
      { to: sections.security, label: 'Security' },
      { to: sections.api, label: 'API' },
    ],
  },
  {
    title: 'Support',
    links: [
      { to: paths.support, label: 'Help Center' },
      { to: sections.contact, label: 'Contact Us' },
      { to: sections.trustAndSafety, label: 'Trust & Safety' },
      { to: paths.disputeResolution, label: 'Dispute Resolution' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: sections.terms, label: 'Terms of Service' },
      { to: sections.privacy, label: 'Privacy Policy' },
      { to: sections.cookies, label: 'Cookie Policy' },
      { to: sections.escrowTerms, label: 'Escrow Terms' },
    ],
  },
] as const

/** The networks' own front doors, until the company has accounts there. */
const SOCIAL = [
  { href: 'https://x.com/', label: 'X' },
  { href: 'https://www.linkedin.com/', label: 'LinkedIn' },
  { href: 'https://www.facebook.com/', label: 'Facebook' },
] as const

const LINK = 'inline-flex min-h-9 items-center text-sm text-ink-soft hover:text-ink hover:underline underline-offset-4'

export function Footer() {
  return (
    <footer className="border-t border-rule bg-sunken print:hidden">
      <div className="page grid grid-cols-2 gap-x-6 gap-y-8 py-12 md:grid-cols-[1.4fr_1fr_1fr_1fr]">
        <div className="col-span-2 max-w-xs md:col-span-1">
          <p className="flex items-center gap-2.5">
            <BrandMark className="size-7" />
            <span className="display text-lg">Holdfast</span>
          </p>
          <p className="mt-3 text-sm text-ink-soft">
            The buyer's money is held until the item has arrived and been accepted. Then the seller is paid.
          </p>
          <ul className="mt-4 flex gap-5">
            {SOCIAL.map(link => (
              <li key={link.label}>
                <a href={link.href} rel="noreferrer" className={LINK}>
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        </div>
        {GROUPS.map(group => (
          <nav key={group.title} aria-label={group.title}>
            <p className="text-sm font-semibold">{group.title}</p>
            <ul className="mt-2">
              {group.links.map(link => (
                <li key={link.label}>
                  <Link to={link.to} className={LINK}>
                    {link.label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-rule py-5">
          <p className="text-sm text-ink-soft">© 2024 Holdfast. All rights reserved.</p>
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}
