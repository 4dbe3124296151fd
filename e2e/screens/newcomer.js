import { CARDS, failing, NO_DISPUTES, plan } from './parts.js'
import { press, toDetails, toLegal, toMistakes, toProof } from './steps.js'

/** The user's answer with another state of the verification. */
/** @param {string | null} verificationReason */
const verification = (verificationStatus, verificationReason = null) => ({
  to: /\/api\/auth\/user$/,
  change: user => ({
    ...user,
    verificationStatus,
    verificationReason,
    isVerified: verificationStatus === 'approved',
  }),
})

/** A payout account that is ready. Only its owner can fill in the provider's form, so the server's answer is changed. */
const READY_ACCOUNT = {
  to: /\/api\/payout-account$/,
  change: () => ({ status: 'ready', bankLabel: 'Test Bank ending in 6789', reason: null }),
}

/** A seller who has changed their payout account. */
const WAITING_PAYOUTS = {
  to: /\/api\/payouts$/,
  change: shown => ({
    ...shown,
    available: '98.50',
    blockedBy: 'account_changed',
    blocks: ['account_changed'],
    waitsUntil: new Date(Date.now() + 40 * 3_600_000).toISOString(),
  }),
}

/** Who has an app and a passkey, and few recovery codes. */
const PROTECTED = {
  to: /\/api\/auth\/second-factor$/,
  change: () => ({
    authenticator: { addedAt: '2026-11-20T10:00:00.000Z' },
    passkeys: [
      {
        ...{ id: '0199aabb-ccdd-7eef-8011-223344556677', name: 'My laptop', isBackedUp: true },
        ...{ addedAt: '2026-11-21T10:00:00.000Z', usedAt: null },
      },
    ],
    recoveryCodesLeft: 2,
    isRequired: false,
  }),
}

/** A user who has just opened an account. */
export const NEWCOMER = [
  { name: 'confirm address', path: '/auth/confirm#token', shows: 'Confirm This Address' },
  { name: 'confirm address, dead link', path: '/auth/confirm', shows: 'Send a New Link from the Dashboard' },
  {
    name: 'confirm payout account',
    path: '/auth/confirm-payouts#token',
    shows: ['Test Bank ending in 6789', 'This Is My Bank Account'],
    answer: READY_ACCOUNT,
  },
  {
    name: 'confirm address, of another account',
    path: '/auth/confirm#token',
    shows: 'Confirm This Address',
    prepare: press('Confirm This Address'),
    reveals: ['This link is for another account', /^You are signed in as/],
    answer: {
      ...{ to: /\/api\/auth\/verify-email$/, status: 403 },
      json: { code: 'SIGN_IN_TO_CONFIRM', message: '', error: '', details: null, requestId: '' },
    },
  },
  {
    name: 'confirm payout account, dead link',
    path: '/auth/confirm-payouts',
    shows: 'This link has expired or was used already.',
  },
  {
    name: 'payouts wait for a changed account',
    path: '/profile?tab=payments',
    shows: ['Nothing is paid out now', /^Otherwise they wait until /],
    answer: WAITING_PAYOUTS,
  },
  {
    name: 'confirm payout account, without a bank account',
    path: '/auth/confirm-payouts#token',
    shows: ['No bank account', /, so there is nothing to confirm\./],
  },
  { name: 'landing, signed in', path: '/', shows: [/^Account of/, 'Sign Up Now'] },
  { name: 'dashboard, empty', path: '/dashboard', shows: ['$0.00', 'No Completed Transactions'] },
  { name: 'selling, empty', path: '/dashboard?tab=selling', shows: 'No Sales Yet' },
  { name: 'buying, empty', path: '/dashboard?tab=buying', shows: 'No Purchases Yet' },
  { name: 'wizard, find a user', path: '/create-listing', shows: 'Skip This Step' },
  {
    name: 'wizard, details',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: toDetails,
    reveals: 'Continue to Legal Documents',
  },
  {
    name: 'wizard, details with mistakes',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: toMistakes,
    reveals: ['Enter a title', 'Enter a description'],
  },
  {
    name: 'wizard, legal documents',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: toLegal,
    reveals: 'Digital Signature',
  },
  {
    name: 'messages, all read',
    path: '/messages?tab=unread',
    shows: 'You have read everything that was written to you.',
  },
  { name: 'messages, empty', path: '/messages', shows: 'No Messages Yet' },
  { name: 'disputes, empty', path: '/disputes', shows: [NO_DISPUTES, 'No transactions available for dispute'] },
  { name: 'file a dispute, empty', path: '/file-dispute', shows: 'No transactions available for dispute' },
  {
    name: 'profile',
    path: '/profile',
    shows: ['Member since', 'This one', 'Marketing emails', 'Change Password', 'Export My Data'],
  },
  { name: 'close account', path: '/profile/close', shows: ['What stays', 'Close My Account for Good'] },
  {
    name: 'profile, security',
    path: '/profile?tab=security',
    shows: ['Your password alone opens your account', 'Set Up App', 'Add a Passkey'],
  },
  {
    name: 'profile, security, setting up an app',
    path: '/profile?tab=security',
    shows: 'Set Up App',
    prepare: press('Set Up App'),
    reveals: '1. Add Holdfast to the app',
  },
  {
    name: 'profile, security, protected',
    path: '/profile?tab=security',
    shows: ['Two steps protect your account', 'My laptop', '2 codes are left.', 'Remove App'],
    answer: PROTECTED,
  },
  {
    name: 'profile, payments',
    path: '/profile?tab=payments',
    shows: [
      'Holdfast has not verified your identity yet.',
      'Add Payout Account',
      'No payment methods',
      'Plan',
      'No transaction history',
    ],
  },
  {
    name: 'profile, contacts',
    path: '/profile?tab=contacts',
    shows: [/^No saved contacts/, /^No recent contacts/, 'Add Contact'],
  },
  {
    name: 'verification',
    path: '/verification',
    shows: ['Not Started', 'Submit for Verification', /^Your documents are encrypted and stored securely\./],
  },
  {
    name: 'verification, under review',
    path: '/verification',
    shows: ['Under Review', /The review takes 1-2 business days/],
    answer: verification('submitted'),
  },
  {
    name: 'verification, rejected',
    path: '/verification',
    shows: ['Rejected', 'Your documents were rejected', 'The back is out of focus.'],
    answer: verification('rejected', 'The back is out of focus.'),
  },
  {
    name: 'verification, complete',
    path: '/verification',
    shows: 'Verification Complete',
    answer: verification('approved'),
  },
  { name: 'upgrade', path: '/upgrade', shows: 'Savings calculator' },
  {
    name: 'upgrade, with Premium',
    path: '/upgrade',
    shows: 'Manage Your Plan',
    answer: { to: /\/api\/auth\/user$/, change: user => ({ ...user, plan: 'premium' }) },
  },
  { name: 'subscribe', path: '/subscribe', shows: ['Charged now', 'Monthly', 'Cardholder Name', 'Pay $30.00'] },
  { name: 'subscribe, with saved cards', path: '/subscribe', shows: ['Another card', 'Pay $30.00'], answer: CARDS },
  {
    name: 'subscribe, without an answer',
    path: '/subscribe',
    shows: ['Unable to Process Subscription', 'Contact Support'],
    answer: failing(/\/api\/create-subscription$/),
  },
  {
    name: 'profile, Premium',
    path: '/profile?tab=payments',
    shows: [/^\$30\.00 is charged to American Express ending in 0005 on/, 'Cancel Premium'],
    answer: plan({}),
  },
  {
    name: 'profile, Premium that ends',
    path: '/profile?tab=payments',
    shows: [/^Premium ends on/, 'Resume Premium'],
    answer: plan({ cancelsAtPeriodEnd: true }),
  },
  {
    name: 'profile, Premium that is not paid',
    path: '/profile?tab=payments',
    shows: [/^\$30\.00 could not be charged to American Express ending in 0005/, 'Pay Now'],
    answer: plan({ status: 'past_due', premiumUntil: '2026-12-27T10:00:00.000Z' }),
  },
  {
    name: 'profile, Premium whose money went back',
    path: '/profile?tab=payments',
    shows: [/^Your payment for Premium was refunded\. Nothing more is charged/, 'Ended'],
    answer: plan({ plan: 'standard', moneyBack: 'refund' }),
  },
  {
    name: 'profile, proof of the person',
    path: '/profile?tab=payments',
    shows: 'Add Payout Account',
    prepare: toProof,
    reveals: ['Confirm that it is you', 'Password'],
    refused: [/^403: PUT .*\/payout-account$/],
  },
  {
    name: 'profile, saved cards',
    path: '/profile?tab=payments',
    shows: ['American Express ending in 0005', 'Default', 'Make Default', 'Add Payment Method'],
    answer: CARDS,
  },
  {
    name: 'invoice',
    path: '/invoice?id=in_1',
    shows: ['Holdfast Premium', 'QWERTY12-0001', 'Print'],
    answer: {
      to: /\/api\/subscription\/invoices$/,
      status: 200,
      json: [
        {
          ...{
            id: 'in_1',
            number: 'QWERTY12-0001',
            status: 'paid',
            amount: '240.00',
            currency: 'USD',
            interval: 'year',
          },
          ...{ periodStartsAt: '2026-11-20T10:00:00.000Z', periodEndsAt: '2027-11-20T10:00:00.000Z' },
          ...{ createdAt: '2026-11-20T10:00:00.000Z', paidAt: '2026-11-20T10:00:04.000Z' },
        },
      ],
    },
  },
  { name: 'invoice, none', path: '/invoice?id=in_2', shows: 'Invoice not found' },
]
