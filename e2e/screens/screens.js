import { ADMIN } from './admin.js'
import { BUYER } from './buyer.js'
import { BUYER_FAILED, CONSOLE_FAILED, NEWCOMER_FAILED, SELLER_FAILED, VISITOR_FAILED } from './failed.js'
import { BUYER_LOADING, VISITOR_LOADING } from './loading.js'
import { NEWCOMER } from './newcomer.js'
import { SELLER } from './seller.js'
import { VISITOR } from './visitor.js'
import { BUYER_WORDS, VISITOR_WORDS } from './words.js'

/**
 * Every screen that is checked, by role: address and state. `path` may depend on the deals that `screen-deals.js` prepares.
 * `shows` has texts that appear only when the page is complete. `prepare` then leads to the screen's state, and `reveals`
 * has texts that appear only in that state. `undo` removes what that state leaves in the browser. A string is the whole text of an
 * element. `refused` names every request that must be refused meanwhile; no other may be. `answer` replaces an answer of the server
 * (`status`, `json`), changes it (`change`) or keeps it back (`hangs`), and the page must ask for it.
 */
export const SCREENS = {
  visitor: [...VISITOR, ...VISITOR_FAILED, ...VISITOR_LOADING, ...VISITOR_WORDS],
  newcomer: [...NEWCOMER, ...NEWCOMER_FAILED],
  buyer: [...BUYER, ...BUYER_FAILED, ...BUYER_LOADING, ...BUYER_WORDS],
  seller: [...SELLER, ...SELLER_FAILED],
  admin: [...ADMIN, ...CONSOLE_FAILED],
}
