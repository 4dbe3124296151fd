import { useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router-dom'
import { Button } from '../components/button.js'
import { TextLink } from '../components/link.js'
import { paths } from '../lib/paths.js'
import { useTitle } from '../lib/use-title.js'
import { NotFoundPage } from './not-found-page.js'

/** When a page broke, or its code could not be loaded (most often: a new release while the tab was open). */
export function RouteError() {
  const error = useRouteError()
  const notFound = isRouteErrorResponse(error) && error.status === 404
  useTitle(notFound ? 'Page Not Found' : 'Something went wrong')
  useEffect(() => {
    if (!notFound) console.error(error)
  }, [error, notFound])
  if (notFound) return <NotFoundPage />
  return (
    <div className="page py-16">
      <h1 className="display text-3xl">This page broke</h1>
      <p className="mt-3 max-w-prose text-ink-soft">
        It is this page's fault, not yours, and showing a page moves no money: whatever was held is still held. Loading
        it again usually helps.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-4">
        <Button onClick={() => window.location.reload()}>Load the Page Again</Button>
        <TextLink to={paths.support}>Contact Support</TextLink>
      </div>
    </div>
  )
}
