/** Until then, also a slow phone has run the code of the page. */
const OPENING_MS = 4_000

/** The page that was opened stands still at first (motion.css). Motion begins when it is there, or with the first touch. */
export function endOpening(): void {
  const end = () => {
    delete document.documentElement.dataset['opening']
  }
  setTimeout(end, OPENING_MS)
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, end, { once: true, capture: true })
}
