import assert from 'node:assert/strict'

/** The most presses of the tab key to reach a control of a page. */
const MAX_TABS = 60

/**
 * Presses the tab key until the control has the focus, and checks that the focus is visible: on the control, or on the label around
 * it.
 *
 * @param {string | RegExp} name
 */
export async function reachByTab(page, role, name) {
  const wanted = page.getByRole(role, { name, exact: true }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < MAX_TABS; presses++) {
    const found = await wanted.evaluate(element => element === document.activeElement)
    if (found) {
      const isVisible = await wanted.evaluate(element =>
        [element, element.closest('label')].some(each => {
          const style = each && getComputedStyle(each)
          const hasOutline = style && style.outlineStyle !== 'none' && style.outlineWidth !== '0px'
          return hasOutline || (style && style.boxShadow !== 'none')
        }),
      )
      assert.ok(isVisible, `the focus on ${name} is visible`)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tab key does not reach ${role} "${name}"`)
}
