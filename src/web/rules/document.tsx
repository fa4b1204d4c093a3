import type { ReactNode } from 'react'
import { PublicHeader } from '../shared/page/public-header.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'

export type Section = { id: string; title: string; content: ReactNode }
type DocumentProps = { title: string; intro: string; sections: Section[]; notice?: ReactNode }

/** A page to read: a list of contents, and sections that links can point to. `notice` replaces sections that are not read yet. */
export function Document({ title, intro, sections, notice }: DocumentProps) {
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-8 px-5 py-6 sm:py-10">
      <PublicHeader />
      <main tabIndex={-1} className="grid min-h-dvh content-start gap-8">
        <div>
          <h1 className="text-4xl sm:text-5xl">{title}</h1>
          <p className="mt-3 max-w-2xl text-lg text-soft">{intro}</p>
        </div>
        {notice}
        <div hidden={sections.length === 0} className="grid items-start gap-8 wide:grid-cols-[14rem_1fr] wide:gap-12">
          <nav aria-label="On this page" className="rounded-card bg-sunken p-4 wide:sticky wide:top-6">
            <ul>
              {sections.map(({ id, title: name }) => (
                <li key={id}>
                  <a href={`#${id}`} className="block rounded-lg px-2 py-2.5 font-medium hover:underline">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="grid max-w-2xl gap-10 [&_li_a]:underline [&_p_a]:underline [&_a]:underline-offset-4">
            {sections.map(({ id, title: name, content }) => (
              <section key={id} id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-8 gap-3">
                <h2 id={`${id}-title`} className="text-2xl">
                  {name}
                </h2>
                {content}
              </section>
            ))}
          </div>
        </div>
      </main>
      <SiteFooter className="border-line border-t pt-6" />
    </div>
  )
}

export const List = ({ children }: { children: ReactNode }) => (
  <ul className="grid list-disc gap-2 pl-5 marker:text-faint">{children}</ul>
)
