export type Theme = 'system' | 'light' | 'dark'
export type Motion = 'system' | 'reduced'

const THEME_KEY = 'theme'
const MOTION_KEY = 'motion'

export const readTheme = (): Theme => {
  const stored = read(THEME_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const readMotion = (): Motion => (read(MOTION_KEY) === 'reduced' ? 'reduced' : 'system')

export function chooseTheme(theme: Theme): void {
  write(THEME_KEY, theme)
  applyTheme()
}

export function chooseMotion(motion: Motion): void {
  write(MOTION_KEY, motion)
  applyTheme()
}

/** Sets the stored choices on the root element, where tokens.css and motion.css read them. */
export function applyTheme(): void {
  const [theme, motion] = [readTheme(), readMotion()]
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  if (motion === 'system') delete dataset['motion']
  else dataset['motion'] = motion
}

export const prefersLessMotion = (): boolean =>
  readMotion() === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches

// Local storage may be blocked (private windows, policies). The choice then lasts until the page is closed.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    document.documentElement.dataset[key] = value
  }
}
