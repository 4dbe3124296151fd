/** Fields that the routes of the operator's console share. */
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import { NOT_BLANK, PageQuery, text, Uuid } from './fields.js'

/** Every act of an admin has a reason. It is kept with the act. */
const Reason = text(MAX_ADMIN_REASON_LENGTH, 'Say why')
export const WithReason = z.object({ reason: Reason })
export const UuidParams = z.object({ id: Uuid })
/** Newest first; `before` is the last id of the previous page. */
export const UuidPageQuery = PageQuery.omit({ before: true }).extend({ before: Uuid.optional() })
export const SearchText = z.string().trim().min(1).max(MAX_SEARCH_LENGTH).meta(NOT_BLANK)

/** Facts about a thing before or after an act, by name. */
export const Facts = z.record(z.string(), z.unknown())
