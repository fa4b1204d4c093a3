import { PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { noticeTexts } from '../../protocol/texts.ts'
import { Logo } from '../../ui/logo.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loading } from '../../ui/states.tsx'
import { PageSkeleton, WideHead } from '../colour/about.tsx'
import { GREETING_ID } from '../home/greeting.ts'
import { HeroWords, heroGridClass, heroPictureClass, PlaceholderRings } from '../landing/hero-words.tsx'
import { networkStripClass } from '../shared/page/network-note.tsx'
import { pageTitleClass } from '../shared/page/page-head.tsx'
import { FiguresSkeleton, TrustFrame } from '../trust/trust-frame.tsx'
import { BottomNav } from './bottom-nav.tsx'
import { contentClass, headerClass, headerLogoClass, headerRowClass } from './frame-classes.ts'

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

/** The frame of the user area: bars around the page. */
const frame = (page: ReactNode): string =>
  staticHtml(
    <StaticRouter location="/user">
      <div aria-hidden="true" inert>
        <div className={`${headerClass} wide:left-65`}>
          <div className={headerRowClass}>
            <span className="grid size-11 place-items-center text-soft @max-[420px]:w-9">
              <PanelLeft size={21} />
            </span>
            <span className={headerLogoClass}>
              <Logo size={30} />
            </span>
          </div>
        </div>
        <div className="fixed inset-y-0 left-0 hidden w-65 border-line/70 border-r wide:block" />
        <div className="wide:hidden">
          <BottomNav />
        </div>
      </div>
      <div className="wide:pl-65">
        <div className={contentClass}>
          <div className="mb-4 h-6" />
          {page}
        </div>
      </div>
    </StaticRouter>,
  )

/**
 * The same for most pages of the user area: the service worker keeps one document for them. On Home, a small script writes
 * the greeting into it before the code of the page is there (first-script.ts).
 */
export const user = (): string =>
  frame(
    <>
      {/* Room for two lines on a phone, so that the greeting moves nothing. */}
      <div className="mb-1.5 min-h-19.5 wide:min-h-13">
        <p id={GREETING_ID} className={`font-display ${pageTitleClass}`} />
      </div>
      <p className="mb-6 text-lg text-soft sm:mb-8" role="status">
        {noticeTexts.loading}
      </p>
      <div className="grid gap-5">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-60 rounded-card" />
      </div>
    </>,
  )

export const colourGame = (): string =>
  frame(
    <>
      <div className="hidden wide:block">
        <WideHead />
      </div>
      <PageSkeleton />
    </>,
  )

/** The top of every other page, until its code has loaded. */
export const loading = (): string => staticHtml(<Loading />)

/** Without style attributes: the content security policy blocks them in HTML. */
const staticHtml = (content: ReactNode): string => renderToStaticMarkup(content).replaceAll(/ style="[^"]*"/g, '')
