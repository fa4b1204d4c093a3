/** About as long as a slow phone needs to run the code of a page. */
const OPENING_MS = 4_000

/** Allows motion (motion.css) after a few seconds, or as soon as the user touches the page or presses a key. */
export function endOpening(): void {
  const end = () => {
    delete document.documentElement.dataset['opening']
  }
  setTimeout(end, OPENING_MS)
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, end, { once: true, capture: true })
}
