import { Link, useParams } from 'react-router'
import { shares, shareWords } from '../../protocol/shares.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { PublicHeader } from '../shared/page/public-header.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { SharedCard } from '../shared/share/shared-card.tsx'

/** What a friend sees who opens a shared link: the card, and one thing to do. */
export function SharePage() {
  const { token = '' } = useParams()
  const read = useRead(shares.show, { token })
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-4 sm:px-6">
      <PublicHeader />
      <main tabIndex={-1} className="grid gap-5">
        {read.isLoadingError ? (
          <FailedRead error={read.error} onRetry={read.refetch} />
        ) : read.data ? (
          <Shown token={token} {...read.data} />
        ) : (
          <Skeleton className="aspect-[1200/630] w-full rounded-card" />
        )}
      </main>
      <SiteFooter />
    </div>
  )
}

type ShownProps = { token: string; username: string; figures: Parameters<typeof shareWords>[0] }

function Shown({ token, username, figures }: ShownProps) {
  const { title } = shareWords(figures)
  const isDuel = figures.kind === 'quiz'
  return (
    <>
      <h1 className="text-3xl">
        {username}: {title}
      </h1>
      <SharedCard token={token} title={`${username}: ${title}`} />
      <p className="text-soft">
        {isDuel
          ? 'You get the same questions, and the server judges your answers in the same way. No sign-up.'
          : 'Four small rings a day: move, eat well, breathe, learn. Try a round without signing up.'}
      </p>
      <Link
        to={isDuel ? `/play/quiz?duel=${token}` : '/play/quiz'}
        className={buttonClass({ variant: 'lime', size: 'l' })}
      >
        {isDuel ? 'Accept the duel' : 'Play a round'}
      </Link>
    </>
  )
}
