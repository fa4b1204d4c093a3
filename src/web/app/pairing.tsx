import { lazy, Suspense } from 'react'
import { usePairing } from '../shared/wallet/pairing.ts'

const PairingDialog = lazy(async () => ({ default: (await import('./pairing-dialog.tsx')).PairingDialog }))

/** Shown on any page while a wallet is being connected through WalletConnect. */
export function ShownPairing() {
  const pairing = usePairing()
  return (
    pairing && (
      <Suspense>
        <PairingDialog pairing={pairing} />
      </Suspense>
    )
  )
}
