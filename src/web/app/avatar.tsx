/** The first letter of a name inside the brand ring. */
export function Avatar({ name, size = 40 }: { name: string; size?: number }) {
  return (
    <span
      aria-hidden="true"
      className="relative inline-grid shrink-0 place-items-center"
      style={{ width: size, height: size }}
    >
      <svg viewBox="0 0 40 40" className="absolute inset-0" aria-hidden="true">
        <circle cx="20" cy="20" r="15" className="fill-leaf-tint" />
        <path
          d="M26.9 4.4A17.5 17.5 0 1 0 37.5 20"
          fill="none"
          strokeWidth="2.6"
          strokeLinecap="round"
          className="stroke-leaf"
        />
      </svg>
      <span className="relative font-display text-leaf-ink" style={{ fontSize: size * 0.4 }}>
        {(name[0] ?? '?').toUpperCase()}
      </span>
    </span>
  )
}
