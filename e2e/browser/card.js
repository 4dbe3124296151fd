/** Types a card into the payment page. */
export async function fillCard(page, number) {
  await page.getByLabel('Card Number').fill(number)
  await page.getByLabel('Expiry (MM/YY)').fill('12/34')
  await page.getByLabel('CVV').fill('123')
  await page.getByLabel('Cardholder Name').fill('Bruno Journey')
}

/** Types a card and sends it. */
export async function payWith(page, number) {
  await fillCard(page, number)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}
