import { useEffect, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { referralCode, users } from '../../protocol/users.ts'
import { Logo } from '../../ui/logo.tsx'
import { useRead } from '../shared/api/api.ts'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'
import { TrialNote } from '../shared/trial/trial-note.tsx'
import { Invited } from './invited.tsx'
import { keepReferral, readReferral } from './kept-referral.ts'
import { Promises } from './promises.tsx'
import { RegisterForm } from './register-form.tsx'

/** Registration and sign-in in one place: a known wallet is signed in, a new one is registered. */
export function RegisterPage() {
  const user = useStoredUser()
  const [wasSignedIn] = useState(user !== undefined)
  if (wasSignedIn) return <Navigate to="/user/home" replace />
  return (
    <div className="mx-auto grid w-full max-w-[28rem] gap-10 px-5 py-6 lg:py-10 lg:max-w-[66rem]">
      <main
        tabIndex={-1}
        className="grid min-h-dvh grid-cols-[minmax(0,1fr)] content-start gap-6 lg:grid-cols-[1fr_26rem] lg:gap-x-10 lg:pt-[11dvh]"
      >
        <Promises />
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          <a href="/" className="justify-self-center lg:justify-self-start" aria-label={`${brand.name}, start page`}>
            <Logo />
          </a>
          <Content />
        </div>
      </main>
      <SiteFooter className="border-line border-t pt-6" />
    </div>
  )
}

function Content() {
  const { referralCode: linked } = useParams()
  const [code] = useState(() => linked ?? readReferral())
  const { sponsor, isUnknown, failure, retry } = useSponsor(code)
  const isLooking = code !== undefined && !sponsor && !isUnknown && !failure
  return (
    <>
      {code !== undefined && !failure && <Invited sponsor={sponsor} isUnknown={isUnknown} />}
      {failure && <FailedRead error={failure} onRetry={retry} />}
      <TrialNote />
      <RegisterForm code={code ?? ''} isUnknown={isUnknown} isInvited={sponsor !== undefined} isLooking={isLooking} />
      <p className="text-center text-faint text-sm">Signing in is free and moves no money.</p>
    </>
  )
}

/** Who owns the code of the link. A code that does not exist is known as such, and is not a failure. */
function useSponsor(code: string | undefined) {
  const isCode = referralCode.safeParse(code).success
  const { data, error, refetch } = useRead(users.sponsor, { referral_code: code ?? '' }, { enabled: isCode })
  useEffect(() => {
    if (data && code) keepReferral(code)
  }, [data, code])
  const isUnknown = code !== undefined && (!isCode || error?.code === 'unknown_referral_code')
  return { sponsor: data?.username, isUnknown, failure: isUnknown ? null : error, retry: refetch }
}
