import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { Logo } from '../../ui/logo.tsx'
import { Loading } from '../../ui/states.tsx'
import { HeroWords, heroGridClass, heroPictureClass, PlaceholderRings } from '../landing/hero-words.tsx'
import { networkStripClass } from '../shared/page/network-note.tsx'
import { FiguresSkeleton, TrustFrame } from '../trust/trust-frame.tsx'

/**
 * The top of a page as static HTML. The build renders it into the document, so a visitor on a slow phone can read it while
 * the app loads. It is inert and hidden from screen readers, because nothing in it works yet.
 */
const Top = ({ children }: { children: ReactNode }) => (
  <div aria-hidden="true" inert>
    <div className={networkStripClass} />
    {children}
  </div>
)

export const landing = (): string =>
  staticHtml(
    <Top>
      <div className="mx-auto flex h-18 max-w-[1200px] items-center px-5 sm:px-8">
        <Logo size={34} />
      </div>
      <div className={heroGridClass}>
        <HeroWords />
        <div className={heroPictureClass}>
          <PlaceholderRings />
        </div>
      </div>
    </Top>,
  )

export const trust = (): string =>
  staticHtml(
    <StaticRouter location="/trust">
      <Top>
        <TrustFrame>
          <FiguresSkeleton />
        </TrustFrame>
      </Top>
    </StaticRouter>,
  )

/** The top of every other page, until its code has loaded. */
export const loading = (): string => staticHtml(<Loading />)

/** Without style attributes: the content security policy blocks them in HTML. */
const staticHtml = (content: ReactNode): string => renderToStaticMarkup(content).replaceAll(/ style="[^"]*"/g, '')
