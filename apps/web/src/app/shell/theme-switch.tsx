import { Segmented } from '../../components/segmented.js'
import { setTheme, THEME_LABELS, THEMES, useTheme } from '../../lib/theme.js'

const OPTIONS = THEMES.map(value => ({ value, label: THEME_LABELS[value] }))

export function ThemeSwitch() {
  return <Segmented legend="Colour scheme" hideLegend options={OPTIONS} value={useTheme()} onChange={setTheme} />
}
