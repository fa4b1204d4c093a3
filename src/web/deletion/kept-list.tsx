/** What stays after a deletion, and why. */
export const KeptList = ({ kept }: { kept: readonly { what: string; why: string }[] }) => (
  <details className="w-full rounded-inner bg-sunken p-4">
    <summary className="cursor-pointer py-1 font-semibold text-ink">What we keep, and why</summary>
    <ul className="grid gap-3 pt-3">
      {kept.map(({ what, why }) => (
        <li key={what}>
          <span className="block font-medium text-ink">{what}</span>
          <span className="text-sm">{why}</span>
        </li>
      ))}
    </ul>
  </details>
)
