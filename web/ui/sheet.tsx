import type { ComponentChildren } from 'preact'
import { PageBar } from './page-bar.tsx'
import { Scroll } from './scroll.tsx'

/** A page of one column that scrolls below its heading. */
export function Sheet({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <PageBar title={title} />
      <Scroll label={title}>{children}</Scroll>
    </>
  )
}
