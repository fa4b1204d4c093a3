import { notify } from './toast.tsx'

/** Copies text and shows a notice. A browser may refuse, and has no clipboard API without a secure connection. */
export async function copyText(text: string, copied: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify.error('Your browser did not allow copying. Select the text and copy it yourself.')
    return false
  }
  notify.success(copied)
  return true
}
