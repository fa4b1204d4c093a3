import { renderToStaticMarkup } from 'react-dom/server'
import { Logo } from '../../ui/logo.tsx'
import { HeroWords, heroGridClass, heroPictureClass, PlaceholderRings } from './hero-words.tsx'

/**
 * The top of the landing page as text, made by the build and sent with the document: a visitor on a slow phone reads it
 * while the app is still on its way. It is a picture of the page, so nothing in it can be reached or heard.
 */
export function firstPaint(): string {
  const html = renderToStaticMarkup(
    <div aria-hidden="true" inert>
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
  // The content security policy allows no style attributes in a document.
  return html.replaceAll(/ style="[^"]*"/g, '')
}
