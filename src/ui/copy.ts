import { notify } from './toast.tsx'

/** Copies and says so. A browser may refuse, and has no clipboard at all where the connection is not secure. */
export async function copyText(text: string, copied: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify.error('The browser did not allow copying. Select the text and copy it by hand.')
    return false
  }
  notify.success(copied)
  return true
}
