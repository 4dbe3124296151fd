import { Link, type LinkProps } from 'react-router-dom'
import { classes } from '../lib/class-names.js'

/** A link in running text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={classes('link', className)} />
}
