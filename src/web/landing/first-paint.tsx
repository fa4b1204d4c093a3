import { renderToStaticMarkup } from 'react-dom/server'
import { Logo } from '../../ui/logo.tsx'
import { networkStripClass } from '../shared/page/network-note.tsx'
import { HeroWords, heroGridClass, heroPictureClass, PlaceholderRings } from './hero-words.tsx'

/**
 * The top of the landing page as static HTML. The build renders it into the document, so a visitor on a slow phone can
 * read it while the app loads. It is inert and hidden from screen readers, because nothing in it works yet.
 */
export function firstPaint(): string {
  const html = renderToStaticMarkup(
    <div aria-hidden="true" inert>
      <div className={networkStripClass} />
      <div className="mx-auto flex h-18 max-w-[1200px] items-center px-5 sm:px-8">
        <Logo size={34} />
      </div>
      <div className={heroGridClass}>
        <HeroWords />
        <div className={heroPictureClass}>
          <PlaceholderRings />
        </div>
      </div>
    </div>,
  )
  // The content security policy blocks style attributes in HTML.
  return html.replaceAll(/ style="[^"]*"/g, '')
}
