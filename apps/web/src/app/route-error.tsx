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
  const { title, text } = isLoadFailure(error) ? NOT_LOADED : BROKEN
  return (
    <div className="page py-16">
      <h1 className="display text-3xl">{title}</h1>
      <p className="mt-3 max-w-prose text-ink-soft">{text}</p>
      <div className="mt-6 flex flex-wrap items-center gap-4">
        <Button onClick={() => window.location.reload()}>Load the Page Again</Button>
        <TextLink to={paths.support}>Contact Support</TextLink>
      </div>
    </div>
  )
}

const BROKEN = {
  title: 'This page broke',
  text: "It is this page's fault, not yours, and showing a page moves no money: whatever was held is still held. Loading it again usually helps.",
}

const NOT_LOADED = {
  title: 'This page could not be loaded',
  text: 'The server could not be reached, or it has a newer version of this page. Nothing about your money has changed. Check your connection and load the page again.',
}

// Chromium, Firefox and Safari each have words of their own for code that did not come; there is no other sign of it.
const isLoadFailure = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script failed|failed to fetch|load failed/i.test(error.message)
