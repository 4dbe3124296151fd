import { DropdownMenu as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

const ITEM =
  'flex min-h-10 w-full items-center gap-2.5 rounded-sm px-2.5 text-base outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:text-ink-soft'

interface MenuProps {
  trigger: ReactNode
  children: ReactNode
  label?: string
  onOpenChange?: (open: boolean) => void
}

/**
 * A list under its trigger (one button element). It is open when it is first rendered, because `menuOnDemand` renders it when the
 * menu is opened. Arrow keys, type-ahead and Escape work as in every menu.
 */
export function Menu({ trigger, children, label, onOpenChange }: MenuProps) {
  return (
    <Primitive.Root defaultOpen modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      {/* Without a portal: the list stays in the landmark of its trigger, where a screen reader looks for it. */}
      <Primitive.Content
        aria-label={label}
        align="end"
        sideOffset={8}
        collisionPadding={12}
        className="z-50 min-w-56 rounded-lg border border-rule bg-surface p-1.5 shadow-float data-[state=open]:animate-appear"
      >
        {children}
      </Primitive.Content>
    </Primitive.Root>
  )
}

export function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Primitive.Item asChild>
      <Link to={to} className={ITEM}>
        {children}
      </Link>
    </Primitive.Item>
  )
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Primitive.Item onSelect={onSelect} className={ITEM}>
      {children}
    </Primitive.Item>
  )
}

export function MenuSeparator() {
  return <Primitive.Separator className="mx-2.5 my-1.5 h-px bg-rule" />
}
