/** The three steps of the wizard that makes a listing. */

/** Step 1: finds a person by their username and chooses them. */
export async function chooseCounterparty(page, { firstName, lastName, username }) {
  await page.getByRole('combobox', { name: 'Search for a user' }).fill(username)
  await page.getByRole('option', { name: `${firstName} ${lastName}` }).click()
  await page.getByRole('region', { name: 'Selected user' }).getByText(`@${username}`).waitFor()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** Step 2: what must be filled in. */
export async function fillItem(page, { title, description, price, category, condition }) {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Description').fill(description)
  await page.getByLabel('Price (USD)').fill(price)
  await page.getByLabel('Category').selectOption(category)
  await page.getByLabel('Condition').selectOption(condition)
}

/** Step 3: accepts every agreement, signs and sends. */
export async function signAndCreate(page, signature) {
  // The code of this step is loaded when it is opened, and `all` does not wait for it.
  await page.getByLabel('Digital Signature').waitFor()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByLabel('Digital Signature').fill(signature)
  await page.getByRole('button', { name: 'Create Transaction', exact: true }).click()
}
