import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Qr } from '../../ui/qr.tsx'
import type { Pairing } from '../shared/wallet/pairing.ts'

/** How to connect a wallet on another device, or an app on this phone. */
export const PairingDialog = ({ pairing: { uri, cancel } }: { pairing: Pairing }) => (
  <Dialog open onClose={cancel} title="Connect your wallet">
    <div className="grid justify-items-center gap-5">
      <p className="text-soft">Scan this with the wallet on your phone, and approve the connection there.</p>
      <Qr text={uri} label="Code to scan with your wallet" size={240} />
      <a href={uri} className={buttonClass({ variant: 'outline', size: 'l', wide: true })}>
        Open a wallet on this device
      </a>
    </div>
  </Dialog>
)
