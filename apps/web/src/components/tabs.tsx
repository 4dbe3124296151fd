import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps<Value extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string
  tabs: readonly { readonly value: Value; readonly label: ReactNode; readonly content: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}

/** Views of one thing. Arrow keys move between them; the row scrolls sideways by itself where it is too narrow. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <Primitive.Root value={value} onValueChange={next => onChange(next as Value)}>
      <Primitive.List
        aria-label={label}
        className="flex gap-6 overflow-x-auto overflow-y-hidden border-b border-rule [scrollbar-width:none]"
      >
        {tabs.map(tab => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 border-b-2 border-transparent font-medium whitespace-nowrap text-ink-soft -outline-offset-2 transition-colors duration-(--swift) hover:text-ink data-[state=active]:border-ink data-[state=active]:font-semibold data-[state=active]:text-ink"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(tab => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-6 outline-offset-4">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
