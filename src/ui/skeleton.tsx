/** A placeholder in the shape of the content that is loading. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-rest rounded-[10px] bg-track ${className}`} />
}

/** A placeholder for lines of text, the last one shorter. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <div className="grid gap-2.5" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line, index) => (
        <Skeleton key={line} className={`h-4 ${index === lines - 1 ? 'w-3/5' : 'w-full'}`} />
      ))}
    </div>
  )
}
