import { paths } from '../../lib/paths.js'

/** The links of the bar; the mobile menu shows the same. */
export function navLinks(signedIn: boolean) {
  return [
    { to: paths.browse, label: 'Browse' },
    { to: paths.platform, label: 'How It Works' },
    ...(signedIn
      ? [
          { to: paths.disputeResolution, label: 'Dispute Resolution' },
          { to: paths.messages, label: 'Messages' },
        ]
      : []),
  ]
}
