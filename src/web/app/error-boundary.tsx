import { Component, type ReactNode, useEffect, useState } from 'react'
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

// Online, the usual cause is an update: the open page asks for files of the old version, which are gone. Offline, the
// files of a page that was never opened on this device are missing.
const wordsNow = () =>
  navigator.onLine
    ? {
        title: 'Something went wrong',
        text: 'Nothing was lost: your balances and orders are on the server. Reload the page.',
      }
    : {
        title: "You're offline",
        text: "This page wasn't opened on this device before, so it can't be shown now. Nothing is lost. It opens when you have a connection.",
      }

function Failed() {
  const [{ title, text }] = useState(wordsNow)
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-6 p-6 text-center">
      <Logo />
      <div className="grid gap-2">
        <h1 className="text-3xl">{title}</h1>
        <p className="text-soft">{text}</p>
      </div>
      <Button onClick={() => location.reload()}>Reload</Button>
    </main>
  )
}
