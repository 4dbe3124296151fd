import { ADMIN } from './admin.js'
import { BUYER } from './buyer.js'
import { NEWCOMER } from './newcomer.js'
import { SELLER } from './seller.js'
import { VISITOR } from './visitor.js'

/**
 * Every screen that is checked, by role: address and state. `path` may depend on the deals that `screen-deals.js` prepares.
 * `shows` has texts that appear only when the page is complete. `prepare` then leads to the screen's state, and `reveals`
 * has texts that appear only in that state. A string is the whole text of an element. `refused` names every request that must
 * be refused meanwhile; no other may be. `answer` replaces an answer of the server, and the page must ask for it.
 */
export const SCREENS = { visitor: VISITOR, newcomer: NEWCOMER, buyer: BUYER, seller: SELLER, admin: ADMIN }
