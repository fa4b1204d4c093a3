import { useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Ring } from '../../ui/ring.tsx'

const questions = [
  {
    text: 'Which of these rests your eyes best?',
    answers: ['Looking far away', 'Blinking less', 'A brighter screen', 'Rubbing them'],
    right: 0,
  },
  {
    text: 'How long does a brisk walk take to lift your mood?',
    answers: ['3 hours', '10 minutes', 'A full day', 'It never does'],
    right: 1,
  },
  {
    text: 'Which way of breathing calms you most?',
    answers: ['Fast and shallow', 'Holding your breath', 'A long, slow out-breath', 'Through the mouth'],
    right: 2,
  },
]

const places = ['left-[4%] top-[8%]', 'right-[5%] top-[14%]', 'left-[9%] bottom-[9%]', 'right-[7%] bottom-[12%]']
const tints = [
  'bg-sky text-[#06243c]',
  'bg-lime text-[#10231c]',
  'bg-coral text-[#3a0f04]',
  'bg-[#b5a3ff] text-[#1d1147]',
]

/** A sample of the quiz game with three questions. It runs only in the browser: nothing is stored or won. */
export function Taste() {
  const [shots, setShots] = useState<boolean[]>([])
  const [missed, setMissed] = useState<number>()
  const question = questions[shots.length]
  const hits = shots.filter(Boolean).length

  const shoot = (answer: number, at: { x: number; y: number }) => {
    if (!question) return
    if (answer !== question.right) return setMissed(answer)
    const isClean = missed === undefined
    if (isClean) celebrate(at)
    setMissed(undefined)
    setShots([...shots, isClean])
  }

  return (
    <div className="grid animate-fade gap-8 wide:grid-cols-[.7fr_1fr] wide:items-center wide:gap-14">
      <div className="grid justify-items-start gap-5">
        <h2 className="text-[clamp(2rem,6vw,3.5rem)]">Take three shots. No sign-up.</h2>
        <p className="text-lg text-soft">
          A taste of the quiz game: answers drift by, and you shoot the right one. In the real game you play against the
          clock, and your points count.
        </p>
        <div className="flex items-center gap-4">
          <Ring value={shots.length / questions.length} size={72} stroke={8} tone="violet" label="Questions answered">
            <span className="figures font-semibold">
              {shots.length}/{questions.length}
            </span>
          </Ring>
          <p aria-live="polite" className="text-soft">
            {summary(shots.length, hits, missed)}
          </p>
        </div>
      </div>
      <div className="relative min-h-[420px] overflow-hidden rounded-[32px] bg-panel text-on-panel wide:min-h-[480px]">
        {question ? (
          <>
            <p className="-translate-x-1/2 -translate-y-1/2 absolute top-1/2 left-1/2 w-[64%] max-w-80 text-center font-display text-2xl">
              {question.text}
            </p>
            {question.answers.map((answer, index) => (
              <button
                key={answer}
                type="button"
                disabled={missed === index}
                onClick={({ clientX, clientY }) => shoot(index, { x: clientX, y: clientY })}
                className={`absolute grid size-[112px] animate-drift place-items-center rounded-full p-3 font-semibold text-sm leading-tight transition hover:brightness-105 focus-visible:outline-lime active:scale-95 disabled:opacity-35 sm:size-[128px] ${places[index]} ${tints[index]}`}
                style={{ animationDelay: `${index * -2.2}s` }}
              >
                {answer}
              </button>
            ))}
          </>
        ) : (
          <Finished hits={hits} onAgain={() => setShots([])} />
        )}
      </div>
    </div>
  )
}

function Finished({ hits, onAgain }: { hits: number; onAgain: () => void }) {
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-5 p-6 text-center">
      <Ring
        value={hits / questions.length}
        size={140}
        stroke={14}
        tone="lime"
        track="stroke-panel-line"
        label="Right on the first try"
      >
        <span className="font-display text-4xl">
          {hits}/{questions.length}
        </span>
      </Ring>
      <p className="font-display text-2xl">{hits === questions.length ? 'Sharp eye!' : 'Good warm-up!'}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/login/register" className={buttonClass({ variant: 'lime' })}>
          Play the real game
        </Link>
        <Button variant="outline" className="border-panel-line! bg-transparent! text-on-panel!" onClick={onAgain}>
          Play again
        </Button>
      </div>
    </div>
  )
}

function summary(answered: number, hits: number, missed: number | undefined): string {
  if (missed !== undefined) return 'Not that one. Try another.'
  if (answered === 0) return 'Shoot the right answer.'
  return `${hits} right on the first try so far.`
}
