import { ChevronRight, Search } from 'lucide-react'
import { startTransition, useDeferredValue, useState } from 'react'
import { nameBeginning, referrals } from '../../protocol/referrals.ts'
import { shownName } from '../../protocol/users.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { useMedia } from '../../ui/media.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty, ErrorState } from '../../ui/states.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedLine } from '../shared/page/failed-read.tsx'
import { MemberSheet } from './member-sheet.tsx'
import { TreeList } from './tree-list.tsx'
import { TreePicture } from './tree-picture.tsx'
import { useTree } from './use-tree.ts'

/** The tree as a diagram or a list, starting at the user or at any member found by search. */
export function TreeTab({ own }: { own: string }) {
  const tree = useTree(own)
  // Phones are too narrow for two levels side by side, so they start with the list.
  const [asList, setAsList] = useState(useMedia('(max-width: 639px)'))
  const [selected, setSelected] = useState<string>()
  const root = tree.nodes.get(tree.root)
  if (tree.error && !root) return <ErrorState title={tree.error} onRetry={() => tree.focus(own)} />
  if (!root) return <Waiting />
  if (tree.root === own && root.total === 0)
    return (
      <Empty title="You haven't invited anyone yet">
        Share your link. Everyone who joins with it appears here immediately.
      </Empty>
    )
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <MemberSearch onChoose={tree.focus} />
        <Button variant="outline" aria-pressed={asList} onClick={() => startTransition(() => setAsList(!asList))}>
          {asList ? 'Show as diagram' : 'Show as list'}
        </Button>
      </div>
      <Trail path={tree.path} onChoose={tree.focus} />
      {tree.error && (
        <p role="alert" className="text-coral-ink">
          {tree.error}
        </p>
      )}
      {asList ? <TreeList tree={tree} onSelect={setSelected} /> : <TreePicture tree={tree} onSelect={setSelected} />}
      <MemberSheet
        node={selected === undefined ? undefined : tree.nodes.get(selected)}
        isRoot={selected === tree.root}
        onClose={() => setSelected(undefined)}
        onShowTeam={tree.focus}
      />
    </div>
  )
}

/** As high as the search, the path and the diagram. */
const Waiting = () => (
  <div className="grid gap-4">
    <Skeleton className="h-20 w-full rounded-control" />
    <Skeleton className="h-7 w-24" />
    <Skeleton className="h-[26rem] w-full rounded-card sm:h-[34rem]" />
  </div>
)

function Trail({ path, onChoose }: { path: string[]; onChoose(username: string): void }) {
  return (
    <nav aria-label="Path to you" className="flex flex-wrap items-center gap-1 text-sm">
      {path.map((username, index) => (
        <span key={username} className="flex items-center gap-1">
          {index > 0 && <ChevronRight size={14} className="text-faint" aria-hidden="true" />}
          <button
            type="button"
            disabled={index === path.length - 1}
            onClick={() => onChoose(username)}
            className="rounded-full px-2 py-1 font-semibold enabled:text-primary enabled:hover:bg-sunken"
          >
            {index === 0 ? 'You' : shownName(username)}
          </button>
        </span>
      ))}
    </nav>
  )
}

function MemberSearch({ onChoose }: { onChoose(username: string): void }) {
  const [text, setText] = useState('')
  const beginning = useDeferredValue(text)
  const isWord = nameBeginning.safeParse(beginning).success
  const found = useRead(referrals.search, { beginning: isWord ? beginning : 'a' }, { enabled: isWord })
  return (
    <div className="relative min-w-60 flex-1">
      <Field label="Find a member">
        {(control) => (
          <TextInput
            {...control}
            type="search"
            value={text}
            placeholder="Name starts with…"
            onChange={(event) => setText(event.target.value.toLowerCase())}
          />
        )}
      </Field>
      {isWord && found.error && <FailedLine error={found.error} />}
      {isWord && found.data && (
        <ul className="absolute inset-x-0 top-full z-10 mt-1 grid max-h-72 overflow-auto rounded-control border border-line bg-raised p-1 shadow-lift">
          {found.data.data.map(({ user_name, depth }) => (
            <li key={user_name}>
              <button
                type="button"
                className="flex w-full items-center gap-2 rounded-[12px] px-3 py-2.5 text-left hover:bg-sunken"
                onClick={() => {
                  setText('')
                  onChoose(user_name)
                }}
              >
                <Search size={15} className="text-faint" aria-hidden="true" />
                <span className="flex-1 font-semibold">{shownName(user_name)}</span>
                <span className="text-faint text-sm">level {depth}</span>
              </button>
            </li>
          ))}
          {found.data.data.length === 0 && (
            <li className="px-3 py-2.5 text-soft">No one in your team has a name like that.</li>
          )}
        </ul>
      )}
    </div>
  )
}
