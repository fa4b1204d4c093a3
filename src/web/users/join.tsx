import { useState } from 'react'
import { brand } from '../../protocol/brand.ts'
import { referralCode, username as usernameRule } from '../../protocol/users.ts'
import { refuseUsername } from '../../protocol/users-reserved.ts'
import { Button } from '../../ui/button.tsx'
import type { WalletOption } from '../shared/wallet/discovery.ts'
import { JoinFields } from './join-fields.tsx'
import { newName } from './new-name.ts'
import type { Problem, useEntry } from './use-entry.ts'
import { joinPage } from './wallet-apps.ts'
import { WalletChoice } from './wallet-choice.tsx'

type JoinProps = {
  code: string
  isUnknown: boolean
  isInvited: boolean
  isReady: boolean
  isDevelopment: boolean
  entry: ReturnType<typeof useEntry>
  problem: Problem | undefined
  setProblem(problem: Problem | undefined): void
}

const UNKNOWN_CODE = "We couldn't find the referral code of your link. Ask the person who sent it, or clear this field."

/**
 * Wallets first: one that has an account is signed in, so only new users need the name below. It is suggested, and the
 * code of an invitation is known, so joining takes one tap.
 */
export function Join({
  code: linked,
  isUnknown,
  isInvited,
  isReady,
  isDevelopment,
  entry,
  problem,
  setProblem,
}: JoinProps) {
  const [username, setUsername] = useState(newName)
  const [code, setCode] = useState(linked.toUpperCase().trim())
  const [wantsFields, setWantsFields] = useState(false)

  function choose(option: WalletOption): void {
    const found = findProblem(username, code)
    setProblem(found)
    if (!found) void entry.join(option, { username, referralCode: code || undefined })
  }

  const isLinked = code === linked.toUpperCase().trim()
  const problems = isUnknown && isLinked ? { referral_code: UNKNOWN_CODE } : {}
  const { unnamed } = entry
  const hasFields = wantsFields || unnamed !== undefined || isUnknown || problem?.field !== undefined
  return (
    <>
      <div>
        <h1 className="font-display text-3xl">Join {brand.name}</h1>
        <p className="mt-1 text-soft">Your wallet is your account. No password, no email.</p>
      </div>
      {isReady && !entry.step && !unnamed && (
        <WalletChoice
          page={joinPage(location.origin, code)}
          isInvited={isInvited}
          isDevelopment={isDevelopment}
          onChoose={choose}
        />
      )}
      {isReady && !entry.step && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {hasFields ? (
            <JoinFields
              {...{ username, setUsername, code, setCode }}
              problems={problem?.field ? { ...problems, [problem.field]: problem.text } : problems}
            />
          ) : (
            <NewName name={username} onChange={() => setWantsFields(true)} />
          )}
          {unnamed && (
            <Button size="l" wide onClick={() => choose(unnamed)}>
              Create account
            </Button>
          )}
        </div>
      )}
    </>
  )
}

const NewName = ({ name, onChange }: { name: string; onChange(): void }) => (
  <p className="flex items-center justify-between gap-3 rounded-control bg-sunken py-1.5 pr-1.5 pl-4">
    <span className="grid min-w-0 leading-snug">
      <span className="text-soft text-sm">New here? Your name will be</span>
      <strong className="truncate">{name}</strong>
    </span>
    <Button variant="bare" size="s" onClick={onChange}>
      Change
    </Button>
  </p>
)

function findProblem(username: string, code: string): Problem | undefined {
  const checks = [
    { field: 'username', result: usernameRule.safeParse(username) },
    { field: 'referral_code', result: referralCode.optional().safeParse(code || undefined) },
  ]
  const failed = checks.find(({ result }) => !result.success)
  if (failed) return { field: failed.field, text: failed.result.error?.issues[0]?.message ?? '' }
  const refusal = refuseUsername(username)
  return refusal && { field: 'username', text: refusal.message }
}
