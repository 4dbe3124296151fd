import { documentTitle, type Page } from '@holdfast/contracts/pages'

interface PageHeadProps {
  /** The page's entry in the table of pages. */
  page: Pick<Page, 'title'>
  /** Replaces the page's own title, for example with an item's name. */
  title?: string
}

/**
 * The title of the document while this page is shown. A page renders it exactly once at a time. The description that the server wrote
 * for the first page stays: only search engines and link previews read it, and they ask the server for each page.
 */
export function PageHead({ page, title = page.title }: PageHeadProps) {
  return <title>{documentTitle(title)}</title>
}
