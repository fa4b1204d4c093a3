import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type QuizGame, type QuizTopic, quiz } from '../../protocol/quiz.ts'
import { notify } from '../../ui/toast.tsx'
import { type CallError, call } from '../shared/api/api.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { Arena } from './arena.tsx'
import { Lobby } from './lobby.tsx'
import { movesOf } from './moves.ts'
import { Results } from './results.tsx'
import { createSession, type Session } from './session.ts'

type Screen = { name: 'lobby' } | { name: 'arena'; session: Session } | { name: 'results'; game: QuizGame }

/** The quiz game: lobby, arena, results. */
export function QuizPage() {
  const [screen, setScreen] = useState<Screen>({ name: 'lobby' })
  const [busy, setBusy] = useState(false)
  const cache = useQueryClient()

  const enter = async (load: () => Promise<{ game: QuizGame }>) => {
    setBusy(true)
    try {
      const { game } = await load()
      setScreen({ name: 'arena', session: createSession(game, movesOf(game.gameId)) })
    } catch (error) {
      notify.error((error as CallError).message)
    }
    setBusy(false)
  }
  const start = (topic?: QuizTopic) =>
    enter(() => call(quiz.start, { token: readStoredUser()?.token ?? '', ...(topic && { topic }) }))
  const resume = (id: QuizGame['gameId']) => enter(() => call(quiz.show, { id }))
  const onOver = useCallback(
    (game: QuizGame) => {
      void cache.invalidateQueries({ queryKey: [quiz.overview.path] })
      void cache.invalidateQueries({ queryKey: [quiz.leaderboard.path] })
      setScreen({ name: 'results', game })
    },
    [cache],
  )

  if (screen.name === 'arena') return <Arena session={screen.session} onOver={onOver} />
  if (screen.name === 'results') {
    const { game } = screen
    const again = () => start(game.topic ?? undefined)
    return <Results game={game} busy={busy} onAgain={again} onLobby={() => setScreen({ name: 'lobby' })} />
  }
  return <Lobby busy={busy} onStart={start} onResume={resume} />
}
