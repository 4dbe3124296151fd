import { ButtonLink } from '../components/button.js'
import { TextLink } from '../components/link.js'
import { paths } from '../lib/paths.js'
import { useTitle } from '../lib/use-title.js'

export function NotFoundPage() {
  useTitle('Page Not Found')
  return (
    <div className="page grid gap-10 py-16 sm:py-24">
      <div>
        <p className="figures text-sm font-semibold text-ink-faint">404</p>
        <h1 className="display mt-1 text-3xl">Page Not Found</h1>
        <p className="mt-3 max-w-prose text-ink-soft">The page you're looking for doesn't exist or has been moved.</p>
        <div className="mt-6 flex flex-wrap items-center gap-4">
          <ButtonLink to={paths.home}>Return Home</ButtonLink>
          <TextLink to={paths.browse}>Browse Items</TextLink>
        </div>
      </div>
    </div>
  )
}
