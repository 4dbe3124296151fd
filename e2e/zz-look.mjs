import { launchChromium } from './browser/chromium.js'

const BASE = 'http://localhost:3210'
const [, , email, prefix, ...steps] = process.argv
const browser = await launchChromium()
for (const [w, h] of [
  [1440, 1000],
  [390, 844],
]) {
  const ctx = await browser.newContext({ viewport: { width: w, height: h }, baseURL: BASE })
  const r = await ctx.request.post('/api/auth/signin', {
    data: { email, password: 'holdfast-demo' },
    headers: { origin: BASE },
  })
  if (!r.ok()) console.log('signin', r.status(), await r.text())
  const page = await ctx.newPage()
  page.on('console', m => {
    if (m.type() === 'error') console.log('console', m.text())
  })
  await page.goto('/profile?tab=payments', { waitUntil: 'networkidle' })
  await page.waitForTimeout(800)
  if (w === 1440)
    for (const step of steps) {
      const [kind, value] = step.split('=')
      if (kind === 'click') await page.getByRole('button', { name: value }).first().click()
      if (kind === 'sum') await page.locator('summary').first().click()
      if (kind === 'fill') {
        await page.waitForSelector('#holder')
        await page.screenshot({ path: `/tmp/${prefix}-form.png`, fullPage: true })
        await page.fill('#holder', 'Theo Ilves')
        await page.fill('#number', value)
        await page.click('#save')
        await page.waitForURL(/profile/)
      }
      await page.waitForTimeout(1500)
    }
  else for (const s of steps.filter(s => s === 'sum')) await page.locator('summary').first().click()
  await page.screenshot({ path: `/tmp/${prefix}-${w}.png`, fullPage: true })
  await ctx.close()
}
await browser.close()
