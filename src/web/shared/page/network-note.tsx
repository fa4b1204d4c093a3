/** Names the network. The server writes it into every page, so it is there without a call. */
const readNetwork = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="network"]')?.content || undefined

/** A line at the top of public pages. The first screen of the landing page reserves its height. */
export const networkStripClass =
  'grid h-7 place-items-center bg-sky-tint px-4 text-center font-medium text-sky-ink text-xs'

export const NetworkStrip = () => (
  <section aria-label="Network" className={networkStripClass}>
    {readNetwork()}
  </section>
)

/** The same in the user area, above the content of the page. */
export const NetworkNote = () => (
  <p className="mb-4 w-fit rounded-full bg-sky-tint px-3 py-1 font-medium text-sky-ink text-xs">
    <span className="sr-only">Network: </span>
    {readNetwork()}
  </p>
)
