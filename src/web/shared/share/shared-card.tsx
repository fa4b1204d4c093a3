/** The image of a shared link. It has its size before it is loaded, so nothing moves. */
export const SharedCard = ({ token, title }: { token: string; title: string }) => (
  <img
    src={`/api/share/${token}/card.png`}
    width={1200}
    height={630}
    alt={title}
    className="h-auto w-full rounded-card bg-sunken"
  />
)
