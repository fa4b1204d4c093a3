import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'

type State = { failed: boolean }

/** A class because React has no other way to catch what a page throws. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

// Most often a page of an older version whose files are gone after an update: loading anew brings the current one.
function Failed() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-6 p-6 text-center">
      <Logo />
      <div className="grid gap-2">
        <h1 className="text-3xl">This page stumbled</h1>
        <p className="text-soft">Nothing was lost: balances and orders live on the server. Load the page again.</p>
      </div>
      <Button onClick={() => location.reload()}>Load again</Button>
    </main>
  )
}
