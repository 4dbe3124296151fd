/** The dialogs of the console's acts. They are one file of the build, which is loaded after the page. */
export { AdjustmentDialog } from './adjustment-dialog.js'
export { EnquiryDialog } from './enquiry-dialog.js'
export { PayoutDialog } from './payout-dialog.js'
export { ForceRefundDialog, RefundDialog } from './refund-dialogs.js'
export { ReplayDialog } from './replay-dialog.js'
export { RequestDialog } from './request-dialog.js'
export { UserDialog } from './user-dialog.js'
export { VerificationDialog } from './verification-dialog.js'
