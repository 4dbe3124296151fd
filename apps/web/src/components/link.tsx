import type { ComponentProps } from 'react'
import { Link } from 'react-router-dom'
import { classes } from '../lib/class-names.js'

/** A link in running text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={classes('link', className)} />
}
