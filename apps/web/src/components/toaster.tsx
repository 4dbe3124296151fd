import { X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { classes } from '../lib/class-names.js'
import { dismissToast, useToast } from '../lib/toast.js'

const DURATION_MS = 5000
const SWIPE_THRESHOLD_PX = 50

/** Where toasts appear: once, at the root of the app. */
export default function Toaster() {
  const message = useToast()
  return (
    <Primitive.Provider duration={DURATION_MS} swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {message && (
        <Primitive.Root
          key={message.id}
          type={message.tone === 'trouble' ? 'foreground' : 'background'}
          onOpenChange={open => !open && dismissToast(message.id)}
          className={classes(
            'relative rounded-lg border py-3 pr-12 pl-4 shadow-float data-[state=open]:animate-toast-in',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=end]:opacity-0',
            message.tone === 'trouble'
              ? 'border-trouble-edge bg-trouble-soft text-trouble'
              : 'border-rule bg-surface text-ink',
          )}
        >
          <Primitive.Title className="font-semibold">{message.title}</Primitive.Title>
          {message.description && (
            <Primitive.Description className="text-sm">{message.description}</Primitive.Description>
          )}
          <Primitive.Close
            aria-label="Dismiss"
            className="absolute top-1 right-1 grid size-10 place-items-center rounded-md hover:bg-sunken"
          >
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        </Primitive.Root>
      )}
      {/* On a phone the buttons of a page and of a question are at the bottom, and the bell is in the header: a toast lies on neither. */}
      <Primitive.Viewport className="fixed top-16 right-0 z-60 mx-4 my-2 grid w-[calc(100vw-2rem)] gap-2 sm:top-auto sm:bottom-0 sm:my-4 sm:max-w-sm" />
    </Primitive.Provider>
  )
}
