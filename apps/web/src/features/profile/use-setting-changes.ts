import type { NotificationSetting, NotificationSettings } from '@holdfast/kernel/messages'
import { useRef, useState } from 'react'

/**
 * Sends each change of a setting, one after the other in the order in which they were made, so that the last one stays. A change that is
 * made while another is sent shows at once and waits.
 *
 * @param saved the settings as the server has them
 * @param send resolves when the server has answered and `saved` is new
 */
export function useSettingChanges(saved: NotificationSettings, send: (next: NotificationSettings) => Promise<unknown>) {
  const waiting = useRef<NotificationSettings[]>([])
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
    const next = { ...(waiting.current.at(-1) ?? saved), [setting]: isOn }
    waiting.current.push(next)
    setChosen(next)
    if (waiting.current.length === 1) void sendAll()
  }

  return { settings: chosen ?? saved, change }
}
