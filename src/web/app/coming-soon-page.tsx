import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Rings } from '../../ui/ring.tsx'

export function ComingSoonPage() {
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-6 text-center">
      <div aria-hidden="true">
        <Rings
          size={148}
          rings={[
            { value: 0.72, tone: 'leaf', label: 'outer' },
            { value: 0.45, tone: 'sky', label: 'middle' },
            { value: 0.2, tone: 'coral', label: 'inner' },
          ]}
        />
      </div>
      <div className="grid gap-2">
        <h1 className="text-4xl">Coming soon</h1>
        <p className="max-w-sm text-soft">We're still building this part of Wellplay. Everything else is ready.</p>
      </div>
      <Link to="/user/home" className={buttonClass()}>
        Back to home
      </Link>
    </div>
  )
}
