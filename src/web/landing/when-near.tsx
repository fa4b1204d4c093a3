import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Shows its content once the visitor has scrolled to within a screen of it. */
export function WhenNear({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const [near, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: '600px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  // What is out of view need not pulse: even there it would keep a slow phone busy.
  return (
    <div ref={place} className={near ? undefined : '[&_.animate-rest]:animate-none'}>
      {near ? children : placeholder}
    </div>
  )
}
