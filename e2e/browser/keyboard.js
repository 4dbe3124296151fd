import assert from 'node:assert/strict'

/** The most presses of the tab key to reach a control of a page. */
const MAX_TABS = 60
/** The smallest target of WCAG 2.2 (2.5.8), in CSS pixels. */
const MIN_TARGET_PX = 24
/** A second on an idle machine. A longer wait would let a person press a key that goes nowhere. */
const FOCUS_FRAMES = 60
/** The page may scroll to the control. What a toast covers is covered for longer than this. */
const SHOWN_FRAMES = 180

/**
 * Presses the tab key until the control has the focus, and checks that a person can see where the focus is and can hit the
 * control: the focus is marked (2.4.7), nothing covers the control (2.4.11), and it is at least 24 pixels large (2.5.8).
 *
 * @param {string | RegExp} name
 */
export function reachByTab(page, role, name) {
  return reach(page, page.getByRole(role, { name, exact: true }).first(), String(name))
}

/** As `reachByTab`, for a control that a locator names. */
export async function reach(page, wanted, name) {
  await wanted.waitFor({ state: 'attached' })
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return showsFocus(wanted, name)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tab key does not reach "${name}"`)
}

/** Waits until the page has scrolled to the control, and what moves on it stands still. */
async function showsFocus(control, name) {
  let faults = []
  const isRight = async () => {
    faults = await control.evaluate(faultsOfFocus, MIN_TARGET_PX)
    return faults.length === 0
  }
  assert.ok(await inFrames(control, SHOWN_FRAMES, isRight), `the focus on ${name} ${faults.join(', ')}`)
}

/** Asks in each of the next frames of the control's page. A busy machine draws fewer of them, and so gives the page more time. */
async function inFrames(control, frames, ask) {
  for (let frame = 0; frame < frames; frame++) {
    if (await ask()) return true
    await control.evaluate(() => new Promise(requestAnimationFrame))
  }
  return false
}

/** Reaches a button or link and presses it. */
export async function pressByKey(page, role, name) {
  await reachByTab(page, role, name)
  await page.keyboard.press('Enter')
}

/** Reaches each field, by its name, and types into it. */
export async function typeByKey(page, values) {
  for (const [name, text] of Object.entries(values)) {
    await reachByTab(page, 'textbox', name)
    await page.keyboard.type(text)
  }
}

/** Reaches a list of choices and chooses the one that begins with `text`. */
export async function chooseByKey(page, name, text) {
  await reachByTab(page, 'combobox', name)
  await page.keyboard.type(text)
}

/** Waits until this control has the focus: a dialog or menu that closes gives it back a moment later. */
export async function hasFocus(control, what) {
  const isFocused = () => control.evaluate(element => element === document.activeElement)
  assert.ok(await inFrames(control, FOCUS_FRAMES, isFocused), `the focus is on ${what}`)
}

/**
 * What is wrong with the focused control, as short texts. The label of a box or a switch is part of its target. Runs in the page.
 */
function faultsOfFocus(element, minimum) {
  const shown = element.closest('label') ?? element
  const marked = [element, shown, '::after'].some(each => {
    const style = each === '::after' ? getComputedStyle(element, each) : getComputedStyle(each)
    const { outlineStyle, outlineWidth, boxShadow } = style
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  })
  const { left, top, width, height } = shown.getBoundingClientRect()
  const points = [0.1, 0.5, 0.9].flatMap(x => [0.1, 0.5, 0.9].map(y => [left + width * x, top + height * y]))
  const seen = points.some(([x, y]) => {
    const at = document.elementFromPoint(x, y)
    return at && (shown.contains(at) || at.contains(element))
  })
  // A link in a sentence may be as high as its line.
  const isInline = getComputedStyle(shown).display === 'inline'
  const targets = [shown, ...(element.labels ?? [])].map(each => each.getBoundingClientRect())
  const isLarge = isInline || targets.some(target => target.width >= minimum && target.height >= minimum)
  return [
    ...(marked ? [] : ['is not visible']),
    ...(seen ? [] : ['is covered, or outside of the window']),
    ...(isLarge ? [] : [`is on a target of ${Math.round(width)} by ${Math.round(height)} pixels`]),
  ]
}
