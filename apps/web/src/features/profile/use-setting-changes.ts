import type { NotificationSetting, NotificationSettings } from '@holdfast/kernel/messages'
import { useRef, useState } from 'react'

/** All settings as the user sees them, and the one that they have switched: the others may be changed in another tab. */
export type SettingChange = NotificationSettings & { readonly changed: NotificationSetting[] }

/**
 * Sends each change of a setting, one after the other in the order in which they were made, so that the last one stays. A change that is
 * made while another is sent shows at once and waits.
 *
 * @param saved the settings as the server has them
 * @param send resolves when the server has answered and `saved` is new
 */
export function useSettingChanges(saved: NotificationSettings, send: (next: SettingChange) => Promise<unknown>) {
  const waiting = useRef<SettingChange[]>([])
  const [chosen, setChosen] = useState<NotificationSettings | null>(null)

  async function sendAll() {
    for (;;) {
      const next = waiting.current[0]
      if (!next) break
      await send(next)
      waiting.current.shift()
    }
    setChosen(null)
  }

  function change(setting: NotificationSetting, isOn: boolean) {
    const next = { ...(waiting.current.at(-1) ?? saved), [setting]: isOn, changed: [setting] }
    waiting.current.push(next)
    setChosen(next)
    if (waiting.current.length === 1) void sendAll()
  }

  return { settings: chosen ?? saved, change }
}
