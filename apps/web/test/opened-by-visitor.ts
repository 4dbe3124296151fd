// To be imported before the code of a page: the HTML tells it that no user is signed in.
import { VISITOR_META } from '@holdfast/contracts/pages'

const meta = document.createElement('meta')
meta.name = VISITOR_META
meta.content = 'yes'
document.head.append(meta)
