/**
 * SQL: the lower-case address of the user $1, once it is confirmed. Rows with an unconfirmed address may be another person's, because
 * an account can be opened with any address.
 */
const OWN_ADDRESS = '(SELECT lower(email) FROM users WHERE id = $1 AND email_confirmed_at IS NOT NULL)'

/** SQL: whether a row of `mail` was sent to the user $1. */
export const IS_OWN_MAIL = `(mail.data ->> 'userId' = $1::uuid::text OR lower(mail.recipient) = ${OWN_ADDRESS})`

/** SQL: whether a row of `enquiry` is of the user $1. A visitor's has an address only. */
export const IS_OWN_ENQUIRY = `(enquiry.user_id = $1 OR (enquiry.user_id IS NULL AND lower(enquiry.email) = ${OWN_ADDRESS}))`
