import { documentTitle, type Page, SITE_DESCRIPTION } from '@holdfast/contracts/pages'

interface PageHeadProps {
  /** The page's entry in the table of pages. */
  page: Pick<Page, 'title' | 'description'>
  /** Replaces the page's own title, for example with an item's name. */
  title?: string
  description?: string
}

/** The title and description of the document while this page is shown. A page renders it exactly once at a time. */
export function PageHead({ page, title = page.title, description = page.description }: PageHeadProps) {
  return (
    <>
      <title>{documentTitle(title)}</title>
      <meta name="description" content={description || SITE_DESCRIPTION} />
    </>
  )
}
