import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'

type State = { failed: boolean }

/** A class, because React catches render errors only in class components. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

// The usual cause is an update: the open page asks for files of the old version, which are gone. A reload fixes it.
function Failed() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-6 p-6 text-center">
      <Logo />
      <div className="grid gap-2">
        <h1 className="text-3xl">Something went wrong</h1>
        <p className="text-soft">Nothing was lost: your balances and orders are on the server. Reload the page.</p>
      </div>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  )
}
