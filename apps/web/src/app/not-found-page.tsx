import { NOT_FOUND_PAGE } from '@holdfast/contracts/pages'
import { ButtonLink } from '../components/button.js'
import { TextLink } from '../components/link.js'
import { PageMessage } from '../components/page-message.js'
import { paths } from '../lib/paths.js'

export function NotFoundPage() {
  return (
    <PageMessage
      title={NOT_FOUND_PAGE.title}
      mark="404"
      actions={
        <>
          <ButtonLink to={paths.home}>Return Home</ButtonLink>
          <TextLink to={paths.browse}>Browse Items</TextLink>
        </>
      }
    >
      {NOT_FOUND_PAGE.description}
    </PageMessage>
  )
}
