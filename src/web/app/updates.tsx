import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const CHECK_MS = 60 * 60 * 1_000
const ACTIVATED_MS = 3_000

/** Offers a new version once its service worker is installed. It is activated only when the user accepts. */
export function UpdatePrompt() {
  const [waiting, setWaiting] = useState<ServiceWorker>()
  useEffect(() => {
    if (import.meta.env.PROD && 'serviceWorker' in navigator) void watch(setWaiting).catch(() => undefined)
  }, [])
  if (!waiting) return null
  return (
    <div
      role="status"
      className="fixed inset-x-3 bottom-[max(5.5rem,env(safe-area-inset-bottom))] z-[80] mx-auto flex w-fit max-w-full animate-rise items-center gap-4 rounded-[20px] bg-panel py-2 pr-2 pl-5 text-on-panel shadow-lift wide:bottom-6"
    >
      A new version is ready.
      <Button variant="lime" size="s" onClick={() => activate(waiting)}>
        Update now
      </Button>
    </div>
  )
}

/** The page is reloaded when the new worker takes over. If the old one still counts work for this page, leaving it ends that. */
function activate(worker: ServiceWorker): void {
  worker.postMessage('activate')
  setTimeout(() => location.reload(), ACTIVATED_MS)
}

async function watch(onWaiting: (worker: ServiceWorker) => void): Promise<void> {
  const container = navigator.serviceWorker
  const hadWorker = container.controller !== null
  const registration = await container.register(policy.createScriptURL('/sw.js'))
  if (registration.waiting && hadWorker) onWaiting(registration.waiting)
  const follow = () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && container.controller) onWaiting(worker)
    })
  }
  // Another tab may have started the update before this one registered its listener.
  follow()
  registration.addEventListener('updatefound', follow)
  container.addEventListener('controllerchange', () => {
    if (hadWorker) location.reload()
  })
  setInterval(() => void registration.update().catch(() => undefined), CHECK_MS)
}

type Policy = { createScriptURL: (url: string) => string }
type Policies = { createPolicy: (name: string, policy: Policy) => Policy }

// The Content Security Policy requires Trusted Types. This policy returns only our worker's URL.
const rules: Policy = { createScriptURL: () => '/sw.js' }
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('wellplay-worker', rules) ?? rules
