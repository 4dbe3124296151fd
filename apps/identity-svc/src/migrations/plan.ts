import { ADMIN_ACT_TABLE } from '@holdfast/service-kit/audit/admin-act-table'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Accounts1795305600000 } from './1795305600000-accounts.js'
import { Blocks1795392000000 } from './1795392000000-blocks.js'
import { KnownDevices1795392100000 } from './1795392100000-known-devices.js'
import { AdminActs1795900000000 } from './1795900000000-admin-acts.js'
import { Approvers1796400000000 } from './1796400000000-approvers.js'
import { CommandLineActs1796540000000 } from './1796540000000-command-line-acts.js'
import { Mails1797000000000 } from './1797000000000-mails.js'
import { Enquiries1797300000000 } from './1797300000000-enquiries.js'
import { EmailChanges1797600000000 } from './1797600000000-email-changes.js'
import { Verifications1798100000000 } from './1798100000000-verifications.js'
import { Ratings1798210000000 } from './1798210000000-ratings.js'
import { Contacts1798600000000 } from './1798600000000-contacts.js'
import { PasswordVersions1798800000000 } from './1798800000000-password-versions.js'
import { ProviderSignIns1799100000000 } from './1799100000000-provider-sign-ins.js'
import { Plans1799700000000 } from './1799700000000-plans.js'
import { Push1799731000000 } from './1799731000000-push.js'
import { Sms1799732000000 } from './1799732000000-sms.js'
import { ClosedAccounts1799740000000 } from './1799740000000-closed-accounts.js'
import { SecondFactors1799750000000 } from './1799750000000-second-factors.js'
import { Suspensions1799760000000 } from './1799760000000-suspensions.js'
import { IndexesByPerson1799782000000 } from './1799782000000-indexes-by-person.js'
import { EndedSessions1799785000301 } from './1799785000301-ended-sessions.js'
import { OldPersonalData1799785000500 } from './1799785000500-old-personal-data.js'
import { MailsByMailbox1799785000601 } from './1799785000601-mails-by-mailbox.js'
import { RowsByAge1799785002000 } from './1799785002000-rows-by-age.js'
import { TakenOverAccounts1799786020000 } from './1799786020000-taken-over-accounts.js'
import { PayoutAccountLinks1799786024000 } from './1799786024000-payout-account-links.js'
import { AlikeUsernames1799786060000 } from './1799786060000-alike-usernames.js'
import { GivenUpUsernames1799786061000 } from './1799786061000-given-up-usernames.js'
import { ChangedAddresses1799786062000 } from './1799786062000-changed-addresses.js'

/** The migrations, role and grants of this service, for `tools/migrate`. */
export const plan = {
  service: 'identity-svc' as const,
  role: 'identity_svc',
  schema: 'identity',
  migrations: [
    Accounts1795305600000,
    Blocks1795392000000,
    KnownDevices1795392100000,
    AdminActs1795900000000,
    Approvers1796400000000,
    CommandLineActs1796540000000,
    Mails1797000000000,
    Enquiries1797300000000,
    EmailChanges1797600000000,
    Verifications1798100000000,
    Ratings1798210000000,
    Contacts1798600000000,
    PasswordVersions1798800000000,
    ProviderSignIns1799100000000,
    Plans1799700000000,
    Push1799731000000,
    Sms1799732000000,
    ClosedAccounts1799740000000,
    SecondFactors1799750000000,
    Suspensions1799760000000,
    IndexesByPerson1799782000000,
    EndedSessions1799785000301,
    OldPersonalData1799785000500,
    MailsByMailbox1799785000601,
    RowsByAge1799785002000,
    TakenOverAccounts1799786020000,
    PayoutAccountLinks1799786024000,
    AlikeUsernames1799786060000,
    GivenUpUsernames1799786061000,
    ChangedAddresses1799786062000,
  ],
  appendOnly: [ADMIN_ACT_TABLE],
} as const satisfies MigrationPlan
