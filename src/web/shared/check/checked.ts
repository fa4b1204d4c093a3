const KEY = 'checked'

/** Whether the user has asked this browser for a check, and it found nothing wrong. */
export const hasChecked = (): boolean => localStorage.getItem(KEY) !== null
export const rememberCheck = (): void => localStorage.setItem(KEY, 'yes')
