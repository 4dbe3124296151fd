import { classes } from '../lib/class-names.js'
import { Link, type LinkProps } from '../lib/navigation.js'

/** A link in running text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={classes('link', className)} />
}
