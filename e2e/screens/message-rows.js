/**
 * The rows of the catalogue of messages (spec section 8). Each has its entries in `error-catalogue.js`, whose names begin with
 * that of the row, or stands in one of the two lists below.
 */
export const MESSAGE_ROWS = [
  'Sign-in failure',
  'Login failure',
  'Sign-up failure',
  'Registration failure',
  'Sign-in success',
  'Sign-up success',
  'Dashboard load failure',
  'Create listing failure',
  'Start transaction failure',
  'Too many images',
  'Invalid file',
  'Image compression failure',
  'Image errors',
  'Listing missing',
  'User search with no result',
  'Transaction status update',
  'Dispute creation failure (dialog)',
  'Dispute submit failure (wizard)',
  'Dispute missing fields',
  'Dispute success',
  'Invitation load',
  'Invitation accept',
  'Subscription init failure',
  'Subscription payment',
  'Funds payment (provider view)',
  'Funds payment (send-funds form)',
  'Enterprise',
  'Chat message',
  'Cancel',
  'Accept',
  'Profile',
  'Notification settings',
  'Verification',
  'Tracking',
  'Confirm delivery',
  'Transaction load',
  'Logout failure',
  'Unknown route',
]

/** Rows whose words no started product can show, and the file of the web app with a test that is named after the row. */
export const PROVED_BESIDE_THE_CODE = {
  // The provider's own form is shown with keys of the provider only.
  'Funds payment (provider view)': 'features/payment/stripe-card-form.spec.tsx',
}
